import { z } from "zod";
import { Editor } from "../../frontends/acp/editor.ts";
import { useServer } from "../../support/exec.ts";
import { calls, type FakeChoice, says, startFakeServer } from "../../support/fake-server.ts";
import { type TempHome, tempHome } from "../../support/home.ts";
import { run } from "../../support/run.ts";

/**
 * The client that the official MCP suite runs: the program itself, with a scripted model that calls the first tool of the
 * suite's server. The suite appends the server's address and names the scenario in the environment.
 */
const url = process.argv.at(-1) ?? "";
const scenario = process.env["MCP_CONFORMANCE_SCENARIO"] ?? "";
const Context = z.looseObject({ client_id: z.string().optional(), client_secret: z.string().optional() });
const context = Context.parse(JSON.parse(process.env["MCP_CONFORMANCE_CONTEXT"] ?? "{}"));

const Tools = z.looseObject({
  tools: z.array(
    z.looseObject({
      name: z.string().optional(),
      parameters: z
        .looseObject({ properties: z.record(z.string(), z.looseObject({})).optional() })
        .optional(),
    }),
  ),
});

/** The suite looks for this one where client ids are addresses of documents. */
const DOCUMENT = "https://conformance-test.local/client-metadata.json";
/** A person gives up after this many sign-ins. */
const MOST_SIGN_INS = 3;

await using home = await tempHome();
if (scenario.startsWith("elicitation")) await inEditor(home);
else await inTerminal(home);

async function inTerminal(home: TempHome): Promise<void> {
  const needsSignIn = scenario.startsWith("auth/");
  if (needsSignIn) await signIn(home);
  for (let n = 1; n <= MOST_SIGN_INS; n++) {
    await using server = startFakeServer([callFirstTool, says("done")]);
    await configure(home, server);
    const { stdout } = await run(home, ["exec", "--json", "--skip-git-repo-check", "go"]);
    process.stdout.write(stdout);
    if (!needsSignIn || !stdout.includes("it wants more rights") || n === MOST_SIGN_INS) return;
    await signIn(home);
  }
}

/** Where a person can be asked: one who accepts each form as it is. */
async function inEditor(home: TempHome): Promise<void> {
  await using server = startFakeServer([callFirstTool, says("done")]);
  await configure(home, server);
  await using editor = new Editor(home);
  await editor.initialize({ elicitation: { form: {} } });
  const { sessionId } = await editor.newSession();
  await editor.prompt(sessionId, "go");
}

/** Signs in as a person would who follows every address. */
async function signIn(home: TempHome): Promise<void> {
  await using server = startFakeServer([]);
  await configure(home, server);
  const visits: Promise<unknown>[] = [];
  const { stderr } = await run(home, ["mcp", "login", "srv", "--no-browser"], {
    env: secret(),
    onLine(line) {
      if (/^https?:/.test(line)) visits.push(fetch(line).then((page) => page.text()));
    },
  });
  process.stderr.write(stderr);
  await Promise.all(visits);
}

function secret(): Record<string, string> {
  return context.client_secret === undefined ? {} : { SUITE_SECRET: context.client_secret };
}

async function configure(home: TempHome, server: { baseUrl: string }): Promise<void> {
  const { client_id: id, client_secret } = context;
  const clientId = id ?? (scenario.includes("cimd") ? DOCUMENT : undefined);
  const oauth = [
    ...(clientId === undefined ? [] : [`client_id = ${JSON.stringify(clientId)}`]),
    ...(client_secret === undefined ? [] : ['client_secret_env_var = "SUITE_SECRET"']),
    ...(scenario.includes("client-credentials") ? ['grant = "client_credentials"'] : []),
  ].join(", ");
  await useServer(home, server, {
    more: 'sandbox_mode = "danger-full-access"\napproval_policy = "never"',
    provider: `
[mcp_servers.srv]
url = ${JSON.stringify(url)}
required = true
startup_timeout_sec = 15
oauth = { ${oauth} }`,
  });
}

/** Calls the server's first tool, with a number for each number that it wants and a word for everything else. */
function callFirstTool({ body }: Parameters<FakeChoice>[0]) {
  const { tools } = Tools.parse(body);
  const tool = tools.find(({ name }) => name?.startsWith("mcp__srv__"));
  if (tool?.name === undefined) return says("there is no tool");
  const properties = Object.entries(tool.parameters?.properties ?? {});
  const input = properties.map(([name, { type }], index) => [
    name,
    type === "number" || type === "integer" ? index + 3 : "word",
  ]);
  return calls(tool.name, Object.fromEntries(input));
}
