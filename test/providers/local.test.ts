import { expect, test } from "bun:test";
import { localBaseUrl, ollamaOrigin } from "../../src/providers/local.ts";

const SPELLINGS = [
  ["", "http://127.0.0.1:11434"],
  ["0.0.0.0", "http://127.0.0.1:11434"],
  ["0.0.0.0:8080", "http://127.0.0.1:8080"],
  ["192.168.1.5", "http://192.168.1.5:11434"],
  ["192.168.1.5:8080", "http://192.168.1.5:8080"],
  ["http://box:11434/", "http://box:11434"],
  ["http://box", "http://box:80"],
  ["https://box.example", "https://box.example:443"],
  ["HTTPS://box.example:8443/v1", "https://box.example:8443"],
  [":8080", "http://127.0.0.1:8080"],
  ["[::1]:9000", "http://[::1]:9000"],
  ["[::1]", "http://[::1]:11434"],
  ["::1", "http://[::1]:11434"],
  ["[::]:9000", "http://[::1]:9000"],
  ["http://box:11434/v1", "http://box:11434"],
  ["http://box:80/models/ollama/", "http://box:80/models/ollama"],
  [' "box:1" ', "http://box:1"],
  ["box:port", "http://box:11434"],
  ["box:70000", "http://box:11434"],
  ["::", "http://[::1]:11434"],
  ["ollama.com", "https://ollama.com:443"],
  ["http://0.0.0.0", "http://127.0.0.1:80"],
  ["http://[::]:9000/", "http://[::1]:9000"],
  ["localhost:", "http://localhost:11434"],
  ["'box'", "http://box:11434"],
] as const;

for (const [host, origin] of SPELLINGS) {
  test(`OLLAMA_HOST=${JSON.stringify(host)} means ${origin}`, () => {
    expect(ollamaOrigin(host)).toBe(origin);
  });
}

test("a local server is looked for on its own port", () => {
  expect([localBaseUrl("ollama", {}), localBaseUrl("lmstudio", {})]).toEqual([
    "http://127.0.0.1:11434/v1",
    "http://127.0.0.1:1234/v1",
  ]);
});

test("a whole address wins over a port, and a port over OLLAMA_HOST", () => {
  const env = { OLLAMA_HOST: "box:1", CODEX_OSS_PORT: "2" };
  expect(localBaseUrl("ollama", { OLLAMA_HOST: "box:1" })).toBe("http://box:1/v1");
  expect(localBaseUrl("lmstudio", { OLLAMA_HOST: "box:1" })).toBe("http://127.0.0.1:1234/v1");
  expect(localBaseUrl("ollama", env)).toBe("http://127.0.0.1:2/v1");
  expect(localBaseUrl("ollama", { ...env, CODEX_OSS_BASE_URL: "http://elsewhere:3/v1/" })).toBe(
    "http://elsewhere:3/v1",
  );
});

test("a port that is none is refused, and the variable is named", () => {
  expect(() => localBaseUrl("ollama", { CODEX_OSS_PORT: "0x" })).toThrow(
    'CODEX_OSS_PORT must be a port from 1 to 65535, found "0x"',
  );
});

const NO_ADDRESSES = [
  ["unix:///run/ollama.sock", "unix:///run/ollama.sock"],
  ["tcp://box:11434", "tcp://box:11434"],
  ["a box", "a box"],
  ["box#a", "box#a"],
  ["box:11434?a=1", "box:11434?a=1"],
  ["[::1%eth0]:11434", "[::1%eth0]:11434"],
  ["me:secret@box:11434", "…@box:11434"],
  ["http://me:secret@box", "http://…@box"],
] as const;

for (const [host, shown] of NO_ADDRESSES) {
  test(`OLLAMA_HOST=${JSON.stringify(host)} is refused, and nothing is asked`, () => {
    expect(() => localBaseUrl("ollama", { OLLAMA_HOST: host })).toThrow(
      `OLLAMA_HOST must be an address such as host:port, found "${shown}"`,
    );
    expect(localBaseUrl("lmstudio", { OLLAMA_HOST: host })).toBe("http://127.0.0.1:1234/v1");
  });
}

test("a whole address needs its scheme", () => {
  for (const address of ["localhost:1234/v1", "ftp://box/v1", "http://"]) {
    expect(() => localBaseUrl("lmstudio", { CODEX_OSS_BASE_URL: address })).toThrow(
      `CODEX_OSS_BASE_URL must be a URL with http or https, found "${address}"`,
    );
  }
});
