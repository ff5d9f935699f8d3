import type { Editor } from "../../protocol/editor.ts";
import { absolutePath, type Location, touched } from "../files/location.ts";
import { applyChunks } from "./apply-chunks.ts";
import { Draft, type Node, type Operation } from "./draft.ts";
import type { Hunk } from "./parse.ts";

/** One file as a person sees it; `path` and `movedTo` are absolute. The texts are undefined for what is not UTF-8 text. */
export type PlannedChange = {
  path: string;
  kind: "add" | "update" | "delete";
  movedTo?: string;
  before?: string;
  after?: string;
};

/** A patch that is known to fit the files as they are now. Nothing has been written yet. */
export type PatchPlan = {
  operations: Operation[];
  /** One per file, sorted by path. */
  changes: PlannedChange[];
  /** `A path`, `M path`, `D path`: added, modified, deleted in this order, paths as they were written. */
  report: string[];
  /** Real paths; for a link both the link and what it leads to. */
  reads: string[];
  writes: string[];
};

/** `deleting`: the path of the file whose deletion is the problem. */
export type PlanProblem = { problem: string; deleting?: string };

type UpdateHunk = Extract<Hunk, { kind: "update" }>;

const NO_SUCH_FILE = "No such file or directory (os error 2)";

/**
 * Works out what a patch does to the files below `cwd`, as the editor has them if there is one; a problem in any part of
 * it is a problem of the whole.
 */
export async function planPatch(
  hunks: readonly Hunk[],
  cwd: string,
  editor?: Editor,
): Promise<PatchPlan | PlanProblem> {
  const planner = new Planner(cwd, editor);
  for (const hunk of hunks) {
    const problem = await planner.take(hunk);
    if (problem) return problem;
  }
  return planner.plan();
}

class Planner {
  readonly #cwd: string;
  readonly #draft: Draft;
  readonly #changes: PlannedChange[] = [];
  readonly #report = { A: new Set<string>(), M: new Set<string>(), D: new Set<string>() };
  readonly #reads = new Set<string>();
  readonly #writes = new Set<string>();

  constructor(cwd: string, editor: Editor | undefined) {
    this.#cwd = cwd;
    this.#draft = new Draft(editor);
  }

  take(hunk: Hunk): Promise<PlanProblem | undefined> {
    switch (hunk.kind) {
      case "add":
        return this.#add(hunk.path, hunk.lines);
      case "delete":
        return this.#delete(hunk.path);
      case "update":
        return this.#update(hunk);
    }
  }

  plan(): PatchPlan {
    const lines = (letter: "A" | "M" | "D") => [...this.#report[letter]].map((path) => `${letter} ${path}`);
    return {
      operations: this.#draft.operations(),
      changes: this.#changes.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0)),
      report: [...lines("A"), ...lines("M"), ...lines("D")],
      reads: [...this.#reads],
      writes: [...this.#writes],
    };
  }

  async #add(written: string, lines: readonly string[]): Promise<PlanProblem | undefined> {
    const path = absolutePath(written, this.#cwd);
    const location = await this.#draft.locate(path);
    const old = await this.#free(location.target, path);
    if ("problem" in old) return old;
    const text = lines.map((line) => `${line}\n`).join("");
    this.#draft.put(location.target, { text, mode: old.node?.mode });
    this.#touch(touched(location), []);
    this.#report.A.add(written);
    const change = this.#changeOf(path);
    if (change?.kind === "update") change.after = text;
    else this.#record({ path, kind: "add", before: change?.before ?? old.node?.text, after: text });
    return undefined;
  }

  async #delete(written: string): Promise<PlanProblem | undefined> {
    const path = absolutePath(written, this.#cwd);
    const { entry } = await this.#draft.locate(path);
    const old = await this.#draft.look(entry);
    if ("problem" in old) return { problem: `Failed to read ${path}: ${old.problem}`, deleting: path };
    if (!old.node) return { problem: `Failed to read ${path}: ${NO_SUCH_FILE}`, deleting: path };
    this.#draft.remove(entry);
    this.#touch([entry], []);
    this.#report.D.add(written);
    const change = this.#changeOf(path);
    if (change) this.#forget(change);
    if (change?.kind === "add" && !this.#draft.before(entry)) return undefined;
    this.#record({ path: change?.path ?? path, kind: "delete", before: change?.before ?? old.node?.text });
    return undefined;
  }

  async #update(hunk: UpdateHunk): Promise<PlanProblem | undefined> {
    const path = absolutePath(hunk.path, this.#cwd);
    const source = await this.#draft.locate(path);
    const old = await this.#draft.look(source.target);
    if ("problem" in old) return unreadable(path, old.problem);
    if (old.node?.text === undefined) return unreadable(path, old.node?.notText ?? NO_SUCH_FILE);
    const before = old.node.text;
    const applied = applyChunks(before, hunk.chunks, path);
    if ("problem" in applied) return applied;
    const node: Node = { text: applied.text, mode: old.node.mode };

    const change = this.#changeOf(path) ?? this.#record({ path, kind: "update", before });
    change.after = applied.text;
    this.#touch(touched(source), touched(source));
    this.#report.M.add(hunk.moveTo ?? hunk.path);
    if (hunk.moveTo === undefined) return void this.#draft.put(source.target, node);
    return this.#move(source, absolutePath(hunk.moveTo, this.#cwd), node, change);
  }

  async #move(
    source: Location,
    path: string,
    node: Node,
    change: PlannedChange,
  ): Promise<PlanProblem | undefined> {
    const { entry } = await this.#draft.locate(path);
    if (entry === source.entry) return void this.#draft.put(source.target, node);
    // A link at the destination is replaced, not followed: it may lead back to the source.
    const old = await this.#free(entry, path);
    if ("problem" in old) return old;
    await this.#draft.look(source.entry);
    this.#draft.remove(source.entry);
    this.#draft.put(entry, node);
    this.#touch([entry], []);
    if (change.kind === "add") change.path = path;
    else change.movedTo = path;
    return undefined;
  }

  /** What is at a real path where a file is going to be written. */
  async #free(real: string, path: string): Promise<{ node: Node | undefined } | PlanProblem> {
    const old = await this.#draft.look(real);
    const reason = "problem" in old ? old.problem : await this.#draft.folderProblem(real);
    return reason === undefined ? old : { problem: `Failed to write file ${path}: ${reason}` };
  }

  #changeOf(path: string): PlannedChange | undefined {
    return this.#changes.find((change) => (change.movedTo ?? change.path) === path);
  }

  #record(change: PlannedChange): PlannedChange {
    const earlier = this.#changeOf(change.path);
    if (earlier) this.#forget(earlier);
    this.#changes.push(change);
    return change;
  }

  #forget(change: PlannedChange): void {
    this.#changes.splice(this.#changes.indexOf(change), 1);
  }

  #touch(writes: readonly string[], reads: readonly string[]): void {
    for (const path of writes) this.#writes.add(path);
    for (const path of reads) this.#reads.add(path);
  }
}

function unreadable(path: string, reason: string): PlanProblem {
  return { problem: `Failed to read file to update ${path}: ${reason}` };
}
