import { expect, test } from "bun:test";
import { AppError, toErrorInfo } from "../../src/util/errors.ts";
import { reportError } from "../../src/util/report.ts";

async function reported(cause: unknown): Promise<{ code: number; text: string }> {
  let text = "";
  const code = await reportError(cause, {
    async write(more) {
      text += more;
    },
  });
  return { code, text };
}

test("a wrong command line ends with 2, other expected errors with 1, and hints are shown", async () => {
  expect(await reported(new AppError("usage", "what?", { hint: "try this" }))).toEqual({
    code: 2,
    text: "error: what?\ntry this\n",
  });
  expect(await reported(new AppError("config", "bad file"))).toEqual({ code: 1, text: "error: bad file\n" });
});

test("a fault of the program is one line without a stack", async () => {
  expect(await reported(new TypeError("x is not a function"))).toEqual({
    code: 1,
    text: "internal error: x is not a function\n",
  });
});

test("a message that begins with the word error gets no second one", async () => {
  expect((await reported(new AppError("config", "Error parsing -c overrides"))).text).toBe(
    "Error parsing -c overrides\n",
  );
});

test("text from outside can't steer the terminal", async () => {
  expect((await reported(new AppError("config", "found \u001b[2J\u0007x"))).text).toBe("error: found x\n");
});

test("what the machine refuses is not a fault of the program", () => {
  const cause = Object.assign(new Error("EMFILE: too many open files, open '/x'"), { code: "EMFILE" });
  expect(toErrorInfo(cause)).toEqual({
    code: "config",
    message: "too many files are open (EMFILE: too many open files, open '/x')",
    retryable: false,
  });
});
