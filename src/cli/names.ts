export type CommandFacts = {
  readonly summary: string;
  readonly aliases?: readonly string[];
  /** Works, but is not listed in the help. */
  readonly hidden?: boolean;
  /** Reached by another name of the executable only, never as a subcommand. */
  readonly internal?: boolean;
};

/** Every program by the name of its subcommand, in the order of the help. */
const FACTS = {
  exec: { summary: "Run one task without asking, for scripts and pipelines", aliases: ["e"] },
  review: { summary: "Review changes of this repository" },
  resume: { summary: "Continue an earlier session" },
  fork: { summary: "Continue a copy of an earlier session" },
  archive: { summary: "Hide a session from the lists" },
  unarchive: { summary: "Show a hidden session again" },
  delete: { summary: "Delete a session for good" },
  login: { summary: "Store a key for a provider" },
  logout: { summary: "Remove stored keys" },
  mcp: { summary: "Manage external tool servers" },
  skills: { summary: "List, make and check skills" },
  plugin: { summary: "Manage plugins" },
  "mcp-server": { summary: "Serve the agent as a tool server over stdio" },
  acp: { summary: "Serve the agent to an editor over stdio" },
  "app-server": { summary: "Serve sessions to other programs" },
  "exec-server": { summary: "Run commands for other machines", hidden: true },
  sandbox: { summary: "Run one command inside the sandbox" },
  execpolicy: { summary: "Check a command against the rules" },
  models: { summary: "List the models of a provider" },
  providers: { summary: "List model providers and the names of their keys" },
  harness: { summary: "List, explain and make harnesses" },
  features: { summary: "List and switch features" },
  completion: { summary: "Print a completion script for a shell" },
  pull: { summary: "Download a model into Ollama" },
  debug: { summary: "Inspect what the program does internally" },
  doctor: { summary: "Check this installation" },
  update: { summary: "Install the newest version" },
  "responses-api-proxy": { summary: "Add a key to requests of other programs", hidden: true },
  help: { summary: "Print the help of a command" },
  tui: { summary: "Talk to the agent in the terminal", internal: true },
  "apply-patch": { summary: "Apply a patch to files", internal: true },
  "linux-sandbox": { summary: "Helper of the sandbox", internal: true },
} as const satisfies Readonly<Record<string, CommandFacts>>;

export type ProgramName = keyof typeof FACTS;

export function factsOf(name: ProgramName): CommandFacts {
  return FACTS[name];
}

/** The program that a subcommand or its alias stands for. */
export function programNamed(word: string): ProgramName | undefined {
  if (isProgramName(word) && !factsOf(word).internal) return word;
  return subcommandNames().find((name) => factsOf(name).aliases?.includes(word));
}

export function subcommandNames(): ProgramName[] {
  return Object.keys(FACTS)
    .filter(isProgramName)
    .filter((name) => !factsOf(name).internal);
}

function isProgramName(name: string): name is ProgramName {
  return Object.hasOwn(FACTS, name);
}
