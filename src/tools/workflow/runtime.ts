/**
 * What a workflow script finds around it, as a program of its own: it reads the script and its arguments from the first
 * line of standard input, asks for agents on standard output, one JSON object a line, and gets their answers as lines.
 */
export const WORKFLOW_RUNTIME = String.raw`
const input = console[Symbol.asyncIterator]();
const send = (message) => new Promise((sent) => process.stdout.write(JSON.stringify(message) + "\n", sent));
const words = (values) => values.map((one) => (typeof one === "string" ? one : JSON.stringify(one) ?? String(one))).join(" ");
const log = (...values) => void send({ log: words(values) });
for (const name of ["log", "info", "warn", "error", "debug"]) console[name] = log;
const waiting = new Map();
const agent = (prompt, options = {}) => {
  const { promise, resolve, reject } = Promise.withResolvers();
  const id = ++asked;
  waiting.set(id, { resolve, reject });
  void send({ agent: { id, prompt: String(prompt), options: options ?? {} } });
  return promise;
};
let asked = 0;
const orNull = async (work) => {
  try {
    return await work();
  } catch (cause) {
    log(String(cause));
    return null;
  }
};
const parallel = (works) => Promise.all(works.map(orNull));
const pipeline = (items, ...stages) =>
  Promise.all(
    items.map((item, at) =>
      orNull(async () => {
        let value = item;
        for (const stage of stages) value = await stage(value, item, at);
        return value;
      }),
    ),
  );
const phase = (title) => void send({ phase: String(title) });
const { script, args } = JSON.parse((await input.next()).value);
(async () => {
  for (;;) {
    const { done, value: line } = await input.next();
    if (done) process.exit(1);
    const { id, value, problem } = JSON.parse(line);
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    if (problem === undefined) resolve(value);
    else reject(new Error(problem));
  }
})();
try {
  const AsyncFunction = (async () => {}).constructor;
  const body = script.replace(/^\s*export\s+const\s+meta\b/m, "const meta");
  const run = new AsyncFunction("agent", "parallel", "pipeline", "phase", "log", "args", body);
  await send({ done: (await run(agent, parallel, pipeline, phase, log, args)) ?? null });
} catch (cause) {
  await send({ failed: String(cause) });
}
process.exit(0);
`;
