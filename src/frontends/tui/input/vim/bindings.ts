/** The keys of the vim mode, by what they do; each context is one that `tui.keymap` knows. */
export const VIM_NORMAL = [
  ["insert", ["i"]],
  ["append", ["a"]],
  ["append_line_end", ["A"]],
  ["insert_line_start", ["I"]],
  ["open_below", ["o"]],
  ["open_above", ["O"]],
  ["left", ["h", "left", "backspace"]],
  ["down", ["j", "down"]],
  ["up", ["k", "up"]],
  ["right", ["l", "right", "space"]],
  ["word_forward", ["w"]],
  ["word_backward", ["b"]],
  ["word_end", ["e"]],
  ["line_start", ["0", "home"]],
  ["line_end", ["$", "end"]],
  ["delete_char", ["x", "delete"]],
  ["substitute_char", ["s"]],
  ["delete_to_line_end", ["D"]],
  ["change_to_line_end", ["C"]],
  ["yank_line", ["Y"]],
  ["paste_after", ["p"]],
  ["undo", ["u"]],
  ["delete", ["d"]],
  ["yank", ["y"]],
  ["change", ["c"]],
] as const;

/** Behind `d`, `y` or `c`. */
export const VIM_OPERATOR = [
  ["left", ["h", "left"]],
  ["down", ["j", "down"]],
  ["up", ["k", "up"]],
  ["right", ["l", "right"]],
  ["word_forward", ["w"]],
  ["word_backward", ["b"]],
  ["word_end", ["e"]],
  ["line_start", ["0", "home"]],
  ["line_end", ["$", "end"]],
  ["delete_line", ["d"]],
  ["yank_line", ["y"]],
  ["change_line", ["c"]],
  ["inner", ["i"]],
  ["around", ["a"]],
] as const;

/** Behind an operator and `i` or `a`. */
export const VIM_TEXT_OBJECT = [
  ["word", ["w"]],
  ["big_word", ["W"]],
  ["parentheses", ["(", ")", "b"]],
  ["brackets", ["[", "]"]],
  ["braces", ["{", "}", "B"]],
  ["double_quotes", ['"']],
  ["single_quotes", ["'"]],
  ["backticks", ["`"]],
] as const;
