/** The keys of the vim mode, by what they do; each context is one that `tui.keymap` knows. */

/** Motions that have the same keys alone and after an operator. */
const MOTIONS = [
  ["word_forward", ["w"]],
  ["word_backward", ["b"]],
  ["word_end", ["e"]],
  ["big_word_forward", ["W"]],
  ["big_word_backward", ["B"]],
  ["big_word_end", ["E"]],
  ["line_start", ["0", "home"]],
  ["first_character", ["^"]],
  ["line_end", ["$", "end"]],
  ["paragraph_backward", ["{"]],
  ["paragraph_forward", ["}"]],
  ["matching_bracket", ["%"]],
  ["find_forward", ["f"]],
  ["find_backward", ["F"]],
  ["till_forward", ["t"]],
  ["till_backward", ["T"]],
  ["find_again", [";"]],
  ["find_again_backward", [","]],
  ["first_line", ["g"]],
  ["last_line", ["G"]],
] as const;

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
  ...MOTIONS,
  ["delete_char", ["x", "delete"]],
  ["delete_char_before", ["X"]],
  ["substitute_char", ["s"]],
  ["substitute_line", ["S"]],
  ["replace_char", ["r"]],
  ["toggle_case", ["~"]],
  ["join_lines", ["J"]],
  ["delete_to_line_end", ["D"]],
  ["change_to_line_end", ["C"]],
  ["yank_line", ["Y"]],
  ["paste_after", ["p"]],
  ["paste_before", ["P"]],
  ["undo", ["u"]],
  ["repeat", ["."]],
  ["delete", ["d"]],
  ["yank", ["y"]],
  ["change", ["c"]],
] as const;

/** After `d`, `y` or `c`. */
export const VIM_OPERATOR = [
  ["left", ["h", "left"]],
  ["down", ["j", "down"]],
  ["up", ["k", "up"]],
  ["right", ["l", "right"]],
  ...MOTIONS,
  ["delete_line", ["d"]],
  ["yank_line", ["y"]],
  ["change_line", ["c"]],
  ["inner", ["i"]],
  ["around", ["a"]],
] as const;

/** After an operator and `i` or `a`. */
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
