/** What may go on over several lines: a comment, a string. */
export type Span = { open: string; close: string; role: "comment" | "string" };

/** What of a language is worth a colour. `comments` and `keys` are sources of regular expressions. */
export type Language = {
  /** As written after a fence, in lower case. */
  names: string;
  words?: string;
  /** Begin a comment that ends with the line. */
  comments?: readonly string[];
  /** Each is closed by itself in its line. */
  quotes?: string;
  spans?: readonly Span[];
  /** Names that are set, tags, variables. */
  keys?: string;
  /** Lines that are of one kind, by how they begin. */
  lines?: readonly (readonly [start: string, role: "added" | "removed" | "dim" | "bold"])[];
  ignoresCase?: boolean;
};

const SLASHES = ["//"];
/** Inside a word, as in `$#` or a colour, it is none. */
const HASH = ["(?<!\\S)#"];
const C_COMMENT: Span = { open: "/*", close: "*/", role: "comment" };
const TEMPLATE: Span = { open: "`", close: "`", role: "string" };
const C_WORDS =
  "auto bool break case char const continue default do double else enum extern false float for goto if inline int long " +
  "nullptr NULL register return short signed sizeof static struct switch true typedef union unsigned void volatile while";

export const LANGUAGES: readonly Language[] = [
  {
    names: "ts typescript tsx js javascript jsx mjs cjs mts cts",
    words:
      "abstract any as async await boolean break case catch class const continue debugger declare default delete do else " +
      "enum export extends false finally for from function get if implements import in infer instanceof interface is " +
      "keyof let namespace never new null number object of override private protected public readonly return satisfies " +
      "set static string super switch symbol this throw true try type typeof undefined unknown using var void while yield",
    comments: SLASHES,
    quotes: `"'`,
    spans: [C_COMMENT, TEMPLATE],
  },
  {
    names: "py python python3 pyi",
    words:
      "and as assert async await break case class continue def del elif else except False finally for from global if " +
      "import in is lambda match None nonlocal not or pass raise return self True try while with yield",
    comments: ["#"],
    quotes: `"'`,
    spans: [
      { open: '"""', close: '"""', role: "string" },
      { open: "'''", close: "'''", role: "string" },
    ],
  },
  {
    names: "rs rust",
    words:
      "as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut " +
      "pub ref return self Self static struct super trait true type unsafe use where while",
    comments: SLASHES,
    quotes: `"`,
    spans: [C_COMMENT],
  },
  {
    names: "go golang",
    words:
      "break case chan const continue default defer else fallthrough false for func go goto if import interface map nil " +
      "package range return select struct switch true type var",
    comments: SLASHES,
    quotes: `"'`,
    spans: [C_COMMENT, TEMPLATE],
  },
  {
    names: "java kotlin kt kts scala groovy",
    words:
      "abstract as boolean break by byte case catch char class companion const continue data def default do double else " +
      "enum extends false final finally float for fun if implements import in instanceof int interface internal is lazy " +
      "long match new null object open override package private protected public record return sealed short static super " +
      "suspend switch synchronized this throw throws trait true try val var void volatile when while with yield",
    comments: SLASHES,
    quotes: `"'`,
    spans: [C_COMMENT, { open: '"""', close: '"""', role: "string" }],
  },
  {
    names: "c h cpp c++ cc cxx hpp objc objective-c cuda arduino",
    words:
      `${C_WORDS} catch class constexpr delete explicit final friend mutable namespace new noexcept operator override ` +
      "private protected public template this throw try typename using virtual #include #define #if #ifdef #ifndef #endif #else",
    comments: SLASHES,
    quotes: `"'`,
    spans: [C_COMMENT],
  },
  {
    names: "cs csharp c#",
    words:
      "abstract as async await base bool break byte case catch char class const continue decimal default delegate do " +
      "double else enum event false finally float for foreach get if in int interface internal is lock long namespace new " +
      "null object out override params private protected public readonly record ref return sealed set static string " +
      "struct switch this throw true try typeof using var virtual void when where while yield",
    comments: SLASHES,
    quotes: `"'`,
    spans: [C_COMMENT],
  },
  {
    names: "swift dart zig",
    words:
      "as async await break case catch class comptime const continue default defer do else enum export extension extends " +
      "false final fn for func guard if import in init inline is late let nil null override private protocol pub public " +
      "required return self static struct super switch test this throw throws true try undefined usingnamespace var void where while",
    comments: SLASHES,
    quotes: `"'`,
    spans: [C_COMMENT],
  },
  {
    names: "php",
    words:
      "abstract array as break case catch class const continue default do echo else elseif extends false final fn for " +
      "foreach function global if implements include interface match namespace new null private protected public readonly " +
      "require require_once return static switch this throw trait true try use var while yield",
    comments: ["//", "#(?!\\[)"],
    quotes: `"'`,
    spans: [C_COMMENT],
    keys: "\\$\\w+|<\\?php|\\?>",
  },
  {
    names: "rb ruby elixir ex exs",
    words:
      "alias and begin break case class def defmodule defp do else elsif end ensure false fn for if in module next nil not " +
      "or raise redo require rescue retry return self super then true unless until use when while yield",
    comments: ["#(?!\\{)"],
    quotes: `"'`,
    keys: "(?<!:):\\w+",
  },
  {
    names: "sh bash zsh shell fish console shellscript shell-session",
    words:
      "alias break case cd continue do done echo elif else esac eval exec exit export fi for function if in local read " +
      "return set shift source then trap unset until while",
    comments: HASH,
    quotes: `"'`,
    keys: "\\$\\{?[\\w@*#?!-]+\\}?",
  },
  {
    names: "ps1 powershell pwsh",
    words:
      "begin break catch class continue do else elseif end exit filter finally for foreach function if in param process " +
      "return switch throw trap try until using while",
    comments: HASH,
    quotes: `"'`,
    spans: [{ open: "<#", close: "#>", role: "comment" }],
    keys: "\\$\\w+",
    ignoresCase: true,
  },
  {
    names: "sql postgres postgresql mysql sqlite plsql",
    words:
      "add all alter and as asc begin between by case check column commit constraint create cross database default delete " +
      "desc distinct drop else end exists false foreign from full function group having if in index inner insert into is " +
      "join key left like limit not null on or order outer primary references returning right rollback select set table " +
      "then transaction true trigger union unique update using values view when where with",
    comments: ["--"],
    quotes: `'"`,
    spans: [C_COMMENT],
    ignoresCase: true,
  },
  {
    names: "json jsonc json5 jsonl",
    words: "true false null",
    comments: SLASHES,
    keys: '"[^"]*"(?=\\s*:)',
    quotes: `"`,
  },
  {
    names: "yaml yml",
    words: "true false null yes no",
    comments: HASH,
    quotes: `"'`,
    keys: "(?<=^\\s*(?:- +)*)[\\w./-]+(?=\\s*:(?:\\s|$))",
  },
  {
    names: "toml ini cfg conf env dotenv properties",
    words: "true false",
    comments: [...HASH, "(?<=^\\s*);"],
    quotes: `"'`,
    spans: [{ open: '"""', close: '"""', role: "string" }],
    keys: "(?<=^\\s*)(?:\\[.*\\]|[\\w.-]+(?=\\s*=))",
  },
  {
    names: "html xml svg vue svelte xhtml",
    quotes: `"'`,
    spans: [{ open: "<!--", close: "-->", role: "comment" }],
    keys: "</?[\\w:-]+|/?>",
  },
  {
    names: "css scss less sass",
    comments: ["(?<!:)//"],
    quotes: `"'`,
    spans: [C_COMMENT],
    keys: "(?<![\\w-])[\\w-]+(?=\\s*:\\s)|@[\\w-]+",
  },
  {
    names: "lua",
    words:
      "and break do else elseif end false for function goto if in local nil not or repeat return then true until while",
    comments: ["--(?!\\[\\[)"],
    quotes: `"'`,
    spans: [
      { open: "--[[", close: "]]", role: "comment" },
      { open: "[[", close: "]]", role: "string" },
    ],
  },
  {
    names: "dockerfile docker containerfile",
    words:
      "ADD ARG AS CMD COPY ENTRYPOINT ENV EXPOSE FROM HEALTHCHECK LABEL RUN SHELL STOPSIGNAL USER VOLUME WORKDIR",
    comments: HASH,
    quotes: `"'`,
    keys: "\\$\\{?\\w+\\}?",
  },
  {
    names: "make makefile cmake",
    words: "define else endef endif export ifdef ifeq ifndef ifneq include override",
    comments: ["#"],
    quotes: `"'`,
    keys: "\\$[({]?[\\w@<^*]+[)}]?|(?<=^)[\\w./-]+(?=:)",
  },
  {
    names: "hs haskell elm ml ocaml fs fsharp",
    words:
      "and case class data deriving do else fun function hiding if import in infix instance let match module mutable " +
      "newtype of open qualified rec then type val when where with",
    comments: ["--(?!>)", "//"],
    quotes: `"`,
    spans: [
      { open: "{-", close: "-}", role: "comment" },
      { open: "(*", close: "*)", role: "comment" },
    ],
  },
  {
    names: "r julia jl",
    words:
      "begin break do else elseif end export FALSE false for function if import in let next NULL nothing return struct TRUE true using while",
    comments: ["#"],
    quotes: `"'`,
  },
  {
    names: "hcl terraform tf nix proto protobuf graphql gql",
    words:
      "data else enum false for fragment if in inherit input let locals message module mutation null output package " +
      "provider query rec repeated resource returns rpc service subscription then true type variable with",
    comments: ["#", "//"],
    quotes: `"`,
    spans: [C_COMMENT],
  },
  {
    names: "diff patch",
    lines: [
      ["+++", "bold"],
      ["---", "bold"],
      ["diff ", "bold"],
      ["@@", "dim"],
      ["+", "added"],
      ["-", "removed"],
    ],
  },
];
