import { z } from "zod";
import { defineTool } from "./define.ts";
import { absolutePath, homeOf } from "./files/location.ts";
import { type NewText, type OldFile, prepareTextChange } from "./files/text-change.ts";
import { refused } from "./results.ts";

const NotebookEditInput = z.looseObject({
  path: z.string(),
  /** The id of a cell, or `cell-N` for the cell N, from 0. */
  cellId: z.string().optional(),
  source: z.string().optional(),
  cellType: z.enum(["code", "markdown"]).optional(),
  mode: z.enum(["replace", "insert", "delete"]).optional(),
});
type NotebookEditInput = z.infer<typeof NotebookEditInput>;

const Cell = z.looseObject({ id: z.string().optional(), cell_type: z.string() });
type Cell = z.infer<typeof Cell>;
const Notebook = z.looseObject({ cells: z.array(Cell) });

/** Native "notebook_edit": replaces, adds or removes a cell of a Jupyter notebook. */
export const notebookEdit = defineTool<NotebookEditInput>({
  name: "notebook_edit",
  schema: NotebookEditInput,
  parallel: false,
  async prepare(input, ctx) {
    const path = absolutePath(input.path, ctx.cwd, homeOf(ctx));
    if (!path.endsWith(".ipynb")) return refused(`wanted a notebook (.ipynb), found ${path}`);
    return prepareTextChange(path, (old) => newText(path, input, old), ctx);
  },
});

function newText(path: string, input: NotebookEditInput, { text }: OldFile): NewText {
  if (text === undefined) return { problem: `${path} does not exist` };
  const notebook = readNotebook(text);
  if (!notebook) return { problem: `${path} is not a Jupyter notebook` };
  const edited = editCells(notebook.cells, input);
  if ("problem" in edited) return { problem: `${path}: ${edited.problem}` };
  const indent = /^\{\r?\n( +|\t)"/.exec(text)?.[1] ?? 1;
  const end = text.endsWith("\n") ? "\n" : "";
  const fields = { case: "edited", path, cell: edited.cell, cells: edited.cells.length };
  const written = JSON.stringify({ ...notebook, cells: edited.cells }, null, indent);
  return { text: written + end, answer: `Edited ${path}: ${edited.done}`, fields };
}

function readNotebook(text: string): z.infer<typeof Notebook> | undefined {
  try {
    return Notebook.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

type Edited = { cells: Cell[]; cell: string; done: string } | { problem: string };

function editCells(cells: readonly Cell[], input: NotebookEditInput): Edited {
  const { cellId, source, cellType, mode = "replace" } = input;
  const at =
    cellId === undefined ? -1 : cells.findIndex((cell, i) => cell.id === cellId || `cell-${i}` === cellId);
  if (cellId !== undefined && at === -1)
    return { problem: `there is no cell ${cellId} among its ${cells.length} cells` };
  if (mode !== "delete" && source === undefined) return { problem: "the new source of the cell is missing" };
  if (mode === "insert") {
    const cell = newCell(cells, cellType ?? "code", source ?? "");
    return {
      cells: cells.toSpliced(at + 1, 0, cell),
      cell: cell.id ?? `cell-${at + 1}`,
      done: "a cell was added",
    };
  }
  const old = cells[at];
  if (!old || cellId === undefined) return { problem: "cell_id is missing: it says which cell is meant" };
  if (mode === "delete")
    return { cells: cells.toSpliced(at, 1), cell: cellId, done: `cell ${cellId} was removed` };
  const kind = cellType ?? old.cell_type;
  const changed = { ...old, cell_type: kind, source: linesOf(source ?? "") };
  return { cells: cells.with(at, fitting(changed)), cell: cellId, done: `cell ${cellId} was replaced` };
}

function newCell(cells: readonly Cell[], kind: string, source: string): Cell {
  const id = cells.some((cell) => cell.id !== undefined) ? { id: crypto.randomUUID().slice(0, 8) } : {};
  return fitting({ ...id, cell_type: kind, metadata: {}, source: linesOf(source) });
}

/** Outputs of the old source would be wrong, and cells of text have none. */
function fitting(cell: Cell): Cell {
  const { outputs: _, execution_count: __, ...rest } = cell;
  return cell.cell_type === "code" ? { ...rest, outputs: [], execution_count: null } : rest;
}

/** The lines of a text, each with its end, as notebooks keep them. */
function linesOf(text: string): string[] {
  return text.split(/(?<=\n)/);
}
