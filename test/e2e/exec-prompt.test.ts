import { expect, setDefaultTimeout, test } from "bun:test";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { asObject, bodyOf, exec, listIn, promptOf, useServer } from "../support/exec.ts";
import { says, startFakeServer } from "../support/fake-server.ts";
import { tempHome } from "../support/home.ts";
import { program, type RunOptions } from "../support/run.ts";

setDefaultTimeout(120_000);

/** What the model was asked, the exit code, and the notes on stderr. */
async function ask(args: readonly string[], options: RunOptions = {}) {
  await using home = await tempHome();
  await using server = startFakeServer([says("done")]);
  await useServer(home, server);
  const { exitCode, stdout, stderr } = await exec(home, args, options);
  const prompt = server.requests.length === 0 ? undefined : promptOf(bodyOf(server, 0));
  return { exitCode, prompt, stdout, stderr };
}

const ADDITIONAL = "Reading additional input from stdin...\n";
const READING = "Reading prompt from stdin...\n";

const PROMPTS: [
  title: string,
  args: string[],
  stdin: string | Uint8Array | undefined,
  prompt: string,
  note: string,
][] = [
  ["an argument is the prompt", ["do it"], undefined, "do it", ADDITIONAL],
  [
    "piped input is added to an argument",
    ["do it"],
    "line\n",
    "do it\n\n<stdin>\nline\n</stdin>",
    ADDITIONAL,
  ],
  [
    "piped input without a line end gets one",
    ["do it"],
    "line",
    "do it\n\n<stdin>\nline\n</stdin>",
    ADDITIONAL,
  ],
  [
    "without an argument the piped input is the prompt, as it is",
    [],
    "first\nsecond\n",
    "first\nsecond\n",
    READING,
  ],
  ["a dash asks for the piped input", ["-"], "from stdin", "from stdin", ""],
  ["a word after -- is the prompt, whatever it looks like", ["--", "--json"], "", "--json", ADDITIONAL],
  ["UTF-16 is understood", [], new Uint8Array([0xff, 0xfe, 0x68, 0, 0xe9, 0]), "hé", READING],
  ["UTF-16 of the other byte order too", [], new Uint8Array([0xfe, 0xff, 0, 0x68, 0, 0xe9]), "hé", READING],
  ["a byte order mark is not part of the prompt", [], "\ufeffhello", "hello", READING],
  ["text beyond the BMP arrives whole", ["-"], "ok 👩‍💻 ok", "ok 👩‍💻 ok", ""],
];

for (const [title, args, stdin, prompt, note] of PROMPTS) {
  test(title, async () => {
    const result = await ask(args, stdin === undefined ? {} : { stdin });
    expect({ exitCode: result.exitCode, prompt: result.prompt, stderr: result.stderr }).toEqual({
      exitCode: 0,
      prompt,
      stderr: note,
    });
  });
}

const NO_PROMPT: [title: string, args: string[], stdin: string | Uint8Array, problem: RegExp][] = [
  ["empty input is not a prompt", [], "", /No prompt provided via stdin\./],
  ["blank input is not a prompt", ["-"], " \n\n", /No prompt provided via stdin\./],
  ["an empty argument is not a prompt", [""], "", /No prompt provided/],
  ["bytes that are not text are refused", ["-"], new Uint8Array([0x68, 0xff, 0x68]), /not valid UTF-8/],
  ["UTF-32 is refused by name", ["-"], new Uint8Array([0xff, 0xfe, 0, 0, 0x68, 0, 0, 0]), /UTF-32/],
];

for (const [title, args, stdin, problem] of NO_PROMPT) {
  test(`${title}: nothing is sent, exit code 1`, async () => {
    const result = await ask(args, { stdin });
    expect({ exitCode: result.exitCode, prompt: result.prompt, stdout: result.stdout }).toEqual({
      exitCode: 1,
      prompt: undefined,
      stdout: "",
    });
    expect(result.stderr).toMatch(problem);
  });
}

test("a prompt that -i took for a file is missed with a word about that", async () => {
  const { exitCode, stderr } = await ask(["-i", "a.png", "do it"], { stdin: "" });
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining("it stands before -i")]);
});

test("a pipe that nobody closes does not hold up a prompt that was given as an argument", async () => {
  const { exitCode, prompt, stderr } = await ask(["do it"], { holdsStdin: true });
  expect({ exitCode, prompt }).toEqual({ exitCode: 0, prompt: "do it" });
  expect(stderr).toContain("Nothing came through stdin");
});

test("input without an end is refused, and so is a folder", async () => {
  await using home = await tempHome();
  const endless = Bun.spawn(["yes"], { stdout: "pipe", stderr: "ignore" });
  const folder = await open(home.cwd);
  const outcomes = [];
  for (const stdin of [endless.stdout, folder.fd]) {
    const child = Bun.spawn([...program(), "exec", "--skip-git-repo-check", "-"], {
      cwd: home.cwd,
      env: home.env,
      stdin,
      stdout: "ignore",
      stderr: "pipe",
    });
    const [words, exitCode] = await Promise.all([new Response(child.stderr).text(), child.exited]);
    outcomes.push([exitCode, words.split("\n")[0]]);
  }
  endless.kill();
  await folder.close();
  expect(outcomes).toEqual([
    [1, "error: Failed to read prompt from stdin: it is larger than 16 MB"],
    [1, "error: Failed to read prompt from stdin: it is a folder"],
  ]);
});

test("a large prompt arrives whole", async () => {
  const text = "0123456789abcdef".repeat(20_000);
  const { prompt } = await ask(["-"], { stdin: text });
  expect(prompt === text).toBe(true);
});

const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

async function askWithImages(args: (cwd: string) => string[], stdin?: string) {
  await using home = await tempHome();
  await using server = startFakeServer([says("done")]);
  await useServer(home, server);
  for (const name of ["a.png", "b.png"]) await Bun.write(join(home.cwd, name), PIXEL);
  await home.write("c.txt", "no picture");
  const result = await exec(home, args(home.cwd), stdin === undefined ? {} : { stdin });
  const last = listIn(bodyOf(server, 0), "input").at(-1);
  return { ...result, cwd: home.cwd, parts: listIn(asObject(last), "content") };
}

test("images come before the prompt, each between marks that name it", async () => {
  const { parts, cwd } = await askWithImages(() => ["-i", "a.png", "b.png", "--", "compare"]);
  const imageUrl = `data:image/png;base64,${PIXEL.toString("base64")}`;
  const text = (value: string) => ({ type: "input_text", text: value });
  const image = { type: "input_image", image_url: imageUrl, detail: "high" };
  expect(parts).toEqual([
    text(`<image name=[Image #1] path="${cwd}/a.png">`),
    image,
    text("</image>"),
    text(`<image name=[Image #2] path="${cwd}/b.png">`),
    image,
    text("</image>"),
    text("compare"),
  ]);
});

test("-i takes every word that follows it, a dash too", async () => {
  const { parts, exitCode } = await askWithImages(() => ["-i", "a.png", "-"], "from stdin");
  const kinds = parts.map((part) => asObject(part)["type"]);
  expect({ exitCode, kinds, prompt: asObject(parts.at(-1))["text"] }).toEqual({
    exitCode: 0,
    kinds: ["input_text", "input_image", "input_text", "input_text", "input_text"],
    prompt: "from stdin",
  });
});

test("a picture that can't be used becomes a note, and the run goes on", async () => {
  const { parts, exitCode } = await askWithImages(() => ["-i", "missing.png", "c.txt", "--json", "go"]);
  expect(exitCode).toBe(0);
  const texts = parts.map((part) => String(asObject(part)["text"]));
  expect(texts).toEqual([
    expect.stringMatching(/missing\.png could not be read/),
    expect.stringMatching(/c\.txt was attached as an image, but it is not a PNG/),
    "go",
  ]);
});
