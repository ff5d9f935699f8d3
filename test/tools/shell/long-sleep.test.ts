import { expect, test } from "bun:test";
import { longSleep } from "../../../src/tools/shell/long-sleep.ts";

test.each(["sleep 10", "  sleep 2.5; echo x", "sleep 1m && ls", "sleep 3s\nls"])(
  "%s only waits",
  (command) => {
    expect(longSleep(command, 2)).toMatch(/^a command that begins with a sleep of /);
  },
);

test.each(["sleep 2", "sleep 1; echo x", "echo x; sleep 10", "sleep $N", "sleeper 10", "sleep 10 20"])(
  "%s may run",
  (command) => {
    expect(longSleep(command, 2)).toBeUndefined();
  },
);

test("without a limit every sleep may run", () => {
  expect(longSleep("sleep 10", undefined)).toBeUndefined();
});
