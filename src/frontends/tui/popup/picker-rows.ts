import { listRows } from "../view/popup.ts";
import { cut, safe } from "../view/text.ts";
import type { Theme } from "../view/theme.ts";
import { type Picker, pickable } from "./picker.ts";

type RowOptions = { width: number; theme: Theme; maxRows: number };

export function pickerRows(picker: Picker, { width, theme, maxRows }: RowOptions): string[] {
  const shown = pickable(picker);
  const filter =
    picker.query === ""
      ? theme.dim("type to filter, enter takes, esc closes")
      : theme.accent(safe(picker.query));
  const title = cut(
    `${theme.accent(theme.marks.asks)} ${theme.bold(safe(picker.title))}   ${filter}`,
    width - 1,
  );
  const rows = listRows(shown, picker.selected, { width, theme, maxRows });
  return [title, ...(rows.length > 0 ? rows : [theme.dim("  nothing found")])];
}
