import { expect, setDefaultTimeout, test } from "bun:test";
import { tempHome } from "../support/home.ts";
import { calls, says } from "../support/local-servers/chat-answers.ts";
import { type LmStudioOptions, startLmStudioServer } from "../support/local-servers/lm-studio.ts";
import { run } from "../support/run.ts";

// Each test starts the program on a machine that may be busy.
setDefaultTimeout(120_000);

const OPEN = ["exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"];
const NOISE = "yes filler | head -1500";

async function exec(options: LmStudioOptions, args: readonly string[] = []) {
  await using home = await tempHome();
  await using server = startLmStudioServer(options);
  const env = { CODEX_OSS_BASE_URL: server.baseUrl };
  const all = [...OPEN, "--local-provider", "lmstudio", "--harness", "minimal", ...args, "go"];
  return { ...(await run(home, all, { env })), chats: server.chats, paths: server.paths };
}

const LOADED = [{ key: "qwen/qwen3-8b", maxContext: 40_960, loadedContext: 16_384, tools: true }];

test("the window is what is loaded, whatever the model was made for", async () => {
  const { stderr } = await exec({ models: LOADED });
  expect(stderr).toContain("\ncontext: 16384 tokens (as it is loaded)\n");
});

test("a prompt that LM Studio has cut is told once, with how to load the model with more", async () => {
  const models = [{ key: "tiny", maxContext: 40_960, tools: true }];
  const turns = [calls("bash", { command: NOISE }), calls("bash", { command: NOISE }), says("all done")];
  // An older version takes the window that is saved for the model, so that more is sent than it holds.
  const { exitCode, stderr, chats } = await exec({ models, version: "0.3", turns });
  expect([exitCode, chats.length]).toEqual([0, 3]);
  expect(stderr.split("LM Studio has read only").length - 1).toBe(1);
  expect(stderr).toContain("`lms unload tiny && lms load tiny --context-length N`");
  expect(stderr).toContain("this version of LM Studio loads tiny with the context that is saved for it");
});

test("a prompt that LM Studio refuses as too long is compacted, and the turn goes on", async () => {
  const models = [{ key: "tiny", maxContext: 40_960, tools: true }];
  const turns = [
    calls("bash", { command: NOISE }),
    calls("bash", { command: NOISE }),
    says("a summary of it all"),
    says("all done"),
  ];
  const options = { models, version: "0.3", turns, overflow: "stopAtLimit" } as const;
  const { exitCode, stdout, chats } = await exec(options);
  expect([exitCode, stdout]).toEqual([0, "all done\n"]);
  expect(JSON.stringify(chats.at(-1)?.body["messages"])).toContain("a summary of it all");
});

test("an error inside a stream is not an empty answer: it is told, and the request made again", async () => {
  const turns = [{ error: "The model has crashed without additional information." }, says("all done")];
  const { exitCode, stdout, stderr } = await exec({ models: LOADED, turns });
  expect([exitCode, stdout]).toEqual([0, "all done\n"]);
  expect(stderr).toContain("The model has crashed without additional information.");
});

test("a model that memory does not suffice for says so, and what to do", async () => {
  const models = [{ key: "huge", maxContext: 131_072, tools: true }];
  const loadProblem = "Model loading was stopped due to insufficient system resources.";
  const { exitCode, stderr, paths } = await exec({ models, loadProblem });
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/LM Studio did not load huge: .*insufficient system resources/);
  expect(stderr).toContain("`lms load huge --context-length 32768`, or with a smaller context");
  expect(paths.includes("POST /v1/chat/completions")).toBe(false);
});
