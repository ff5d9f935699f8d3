import type { ReviewTarget } from "../../../core/tasks/review.ts";
import { reviewOf } from "../../../core/tasks/task-prompts.ts";
import type { Asker } from "../prompts/asker.ts";
import { git } from "./git.ts";
import type { CommandPort } from "./types.ts";

const MOST_COMMITS = 100;

/** Lets the model review what `text` says, or what is chosen. */
export async function review(port: CommandPort, text: string): Promise<void> {
  const target: ReviewTarget | undefined =
    text === "" ? await port.ask((asker) => chooseTarget(asker, port)) : { kind: "custom", prompt: text };
  if (target) port.send({ text: reviewOf(target), images: [] });
}

async function chooseTarget(asker: Asker, port: CommandPort): Promise<ReviewTarget | undefined> {
  const kind = await asker.choose<ReviewTarget["kind"]>({
    message: "Review",
    choices: [
      { value: "uncommitted", label: "uncommitted changes" },
      { value: "base", label: "this branch against another" },
      { value: "commit", label: "a commit" },
      { value: "custom", label: "what you say" },
    ],
    initial: 0,
  });
  switch (kind) {
    case undefined:
      return undefined;
    case "uncommitted":
      return { kind };
    case "base":
      return chooseBranch(asker, port);
    case "commit":
      return chooseCommit(asker, port);
    case "custom": {
      const prompt = await asker.text({ message: "What to look at", check: required });
      return prompt === undefined ? undefined : { kind, prompt };
    }
  }
}

async function chooseBranch(asker: Asker, port: CommandPort): Promise<ReviewTarget | undefined> {
  const format = "--format=%(HEAD)%(refname:short)";
  const listed = await git(port, [
    "for-each-ref",
    "--sort=-committerdate",
    format,
    "refs/heads",
    "refs/remotes",
  ]);
  const others = lines(listed).filter((line) => line.startsWith(" ") && !line.endsWith("/HEAD"));
  if (others.length === 0) {
    asker.say("There is no other branch here.");
    return undefined;
  }
  const choices = others.map((line) => ({ value: line.trim(), label: line.trim() }));
  const branch = await asker.choose({ message: "Against which branch", choices, initial: 0 });
  return branch === undefined ? undefined : { kind: "base", branch };
}

async function chooseCommit(asker: Asker, port: CommandPort): Promise<ReviewTarget | undefined> {
  const listed = await git(port, ["log", `-${MOST_COMMITS}`, "--format=%h%x09%s"]);
  const commits = lines(listed).map((line) => line.split("\t"));
  if (commits.length === 0) {
    asker.say("There is no commit here.");
    return undefined;
  }
  const choices = commits.map(([sha = "", title = ""]) => ({
    value: { sha, title },
    label: `${sha}  ${title}`,
  }));
  const commit = await asker.choose({ message: "Which commit", choices, initial: 0 });
  return commit && { kind: "commit", ...commit };
}

function lines(text = ""): string[] {
  return text.split("\n").filter((line) => line.trim() !== "");
}

function required(value: string): string | undefined {
  return value === "" ? "say what to review" : undefined;
}
