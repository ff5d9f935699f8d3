import { expect, test } from "bun:test";
import { proxyFor } from "../../src/providers/proxy.ts";
import { toErrorInfo } from "../../src/util/errors.ts";

const PROXY = "http://proxy.example:3128";
const BOTH = { HTTP_PROXY: "http://plain.example", HTTPS_PROXY: PROXY };

test("the scheme of the address chooses the variable, in either case, the lower one first", () => {
  expect(proxyFor("https://api.example.com/v1", BOTH)).toBe(PROXY);
  expect(proxyFor("http://api.example.com/v1", BOTH)).toBe("http://plain.example");
  expect(
    proxyFor("https://api.example.com/v1", { HTTPS_PROXY: "http://upper.example", https_proxy: PROXY }),
  ).toBe(PROXY);
  expect(proxyFor("https://api.example.com/v1", { HTTP_PROXY: PROXY })).toBeUndefined();
});

test("ALL_PROXY stands in for both", () => {
  const env = { ALL_PROXY: "http://all.example", HTTPS_PROXY: PROXY };
  expect([proxyFor("http://h.example/", env), proxyFor("https://h.example/", env)]).toEqual([
    "http://all.example",
    PROXY,
  ]);
});

test("a proxy without a scheme is an HTTP proxy, and a blank one is none", () => {
  expect(proxyFor("https://h.example/", { HTTPS_PROXY: "proxy.example:3128" })).toBe(PROXY);
  expect(proxyFor("https://h.example/", { HTTPS_PROXY: " " })).toBeUndefined();
});

for (const host of ["localhost", "127.0.0.1", "127.8.9.10", "[::1]", "0.0.0.0", "model.localhost"]) {
  test(`${host} is never reached through a proxy`, () => {
    const env = { HTTP_PROXY: PROXY, HTTPS_PROXY: PROXY, ALL_PROXY: "socks5://127.0.0.1:1" };
    expect([proxyFor(`http://${host}:11434/v1`, env), proxyFor(`https://${host}/v1`, env)]).toEqual([
      undefined,
      undefined,
    ]);
  });
}

const EXEMPTIONS = [
  ["*", "api.example.com", true],
  ["example.com", "api.example.com", true],
  ["example.com", "example.com", true],
  [".example.com", "api.example.com", true],
  ["*.example.com", "api.example.com", true],
  ["API.Example.COM", "api.example.com", true],
  ["example.com", "badexample.com", false],
  ["other.example, api.example.com", "api.example.com", true],
  ["other.example api.example.com", "api.example.com", true],
  ["api.example.com:443", "api.example.com", true],
  ["api.example.com:8443", "api.example.com", false],
  ["api.example.com:8443", "api.example.com:8443", true],
  ["10.0.0.0/8", "10.1.2.3", true],
  ["10.0.0.0/8", "11.1.2.3", false],
  ["192.168.1.7", "192.168.1.7", true],
  ["192.168.1.0/24", "192.168.2.7", false],
  ["10.0.0.0/99", "10.1.2.3", false],
  ["[fd00::1]", "[fd00::1]", true],
  ["fd00::1", "[fd00::1]", true],
  ["", "api.example.com", false],
  [" , ,", "api.example.com", false],
] as const;

for (const [list, host, isDirect] of EXEMPTIONS) {
  test(`NO_PROXY="${list}" ${isDirect ? "exempts" : "does not exempt"} ${host}`, () => {
    const ways = [{ NO_PROXY: list }, { no_proxy: list }].map((env) =>
      proxyFor(`https://${host}/v1`, { ...BOTH, ...env }),
    );
    expect(ways).toEqual(isDirect ? [undefined, undefined] : [PROXY, PROXY]);
  });
}

test("a SOCKS proxy is refused with what to do, without the password in it", () => {
  const env = { ALL_PROXY: "socks5://me:secret@proxy.example:1080" };
  const work = () => proxyFor("https://h.example/", env);
  try {
    work();
    throw new Error("it worked");
  } catch (cause) {
    expect(toErrorInfo(cause)).toEqual({
      code: "config",
      message: "ALL_PROXY must be the address of an HTTP proxy, found one for socks5",
      retryable: false,
      hint: "set HTTPS_PROXY to an address such as http://proxy.example:3128, or name the model server in NO_PROXY",
    });
  }
  expect(proxyFor("https://h.example/", { ...env, NO_PROXY: "h.example" })).toBeUndefined();
});

test("an address that is none has no proxy; the request says what is wrong with it", () => {
  expect(proxyFor("not an address", BOTH)).toBeUndefined();
});
