import { type CallToolResult, Server } from "@modelcontextprotocol/server";
import { CfWorkerJsonSchemaValidator } from "@modelcontextprotocol/server/validators/cf-worker";
import { overridesFrom, RUN_OPTIONS } from "../../config/flags.ts";
import type { Io, Main } from "../../protocol/program.ts";
import { parseArgs } from "../../util/args.ts";
import { toAppError } from "../../util/errors.ts";
import { helpText } from "../../util/help.ts";
import { LineOutput } from "../../util/line-output.ts";
import { NAME, VERSION } from "../../util/package.ts";
import { terminalSafe } from "../../util/untrusted-text.ts";
import { type Call, callOf } from "./call.ts";
import { MCP_SERVER_COMMAND } from "./options.ts";
import { Threads } from "./threads.ts";
import { readCall, toolList } from "./tools.ts";
import { IoTransport } from "./transport.ts";

/** `interpreter mcp-server`: serves until the client closes stdin, or until the program is told to stop. */
export const main: Main = async (argv, io) => {
  const parsed = parseArgs({ ...MCP_SERVER_COMMAND, options: RUN_OPTIONS }, argv);
  if (parsed.wantsHelp) {
    await io.stdout.write(helpText(MCP_SERVER_COMMAND));
    return 0;
  }
  const overrides = overridesFrom(parsed, io.cwd);
  const output = new LineOutput(io.stdout);
  // After the threads' own end. A client that has closed our input and reads nothing keeps nobody here.
  await using _ = { [Symbol.asyncDispose]: () => output.end() };
  await using threads = new Threads({ io, overrides, profile: parsed.value("profile") });
  await serve(threads, io, output);
  return 0;
};

async function serve(threads: Threads, io: Io, output: LineOutput): Promise<void> {
  const server = new Server(
    { name: NAME, title: "Interpreter", version: VERSION },
    { capabilities: { tools: {} }, jsonSchemaValidator: new CfWorkerJsonSchemaValidator() },
  );
  server.setRequestHandler("tools/list", () => ({ tools: toolList() }));
  server.setRequestHandler("tools/call", ({ params }, context) =>
    answer(threads, params.name, params.arguments, callOf(server, context)),
  );
  server.onerror = (error) => void io.stderr.write(`${NAME} mcp-server: ${terminalSafe(error.message)}\n`);
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve;
  });
  const transport = new IoTransport(io.stdin, output);
  io.signal.addEventListener("abort", () => void transport.close(), { once: true });
  await server.connect(transport);
  await closed;
}

/** Whatever goes wrong is said in a result: that is what the model behind the client gets to read. */
async function answer(threads: Threads, name: string, input: unknown, call: Call): Promise<CallToolResult> {
  try {
    const wanted = readCall(name, input);
    const thread =
      wanted.kind === "start"
        ? await threads.start(wanted.input, call)
        : await threads.find(wanted.input, call);
    const { threadId, ok, text } = await thread.say(wanted.input.prompt, call);
    return {
      content: [{ type: "text", text }],
      structuredContent: { threadId, content: text },
      ...(ok ? {} : { isError: true }),
    };
  } catch (cause) {
    const { message, hint } = toAppError(cause);
    const text = hint === undefined ? message : `${message}\n${hint}`;
    return { content: [{ type: "text", text }], isError: true };
  }
}
