import { expect, test } from "bun:test";
import { liveSettings } from "../../../src/frontends/tui/live-settings.ts";
import { Notifier } from "../../../src/frontends/tui/notify.ts";

function notifier(
  tui: unknown = {},
  env: Readonly<Record<string, string>> = {},
): { notifier: Notifier; written: string[] } {
  const written: string[] = [];
  const made = new Notifier(
    (text) => written.push(text),
    () => liveSettings(tui, {}),
    env,
  );
  return { notifier: made, written };
}

test("a question is in the window's title until it is answered, and nothing of a folder's name controls the terminal", () => {
  const { notifier: bell, written } = notifier();
  bell.wait("An answer is needed", "sh\u0007op");
  bell.calm();
  bell.calm();
  expect(written).toEqual(["\u001b[22;0t\u001b]0;? sh op\u0007", "\u001b[23;0t"]);
});

test("the end of a long turn calls a user who looks elsewhere, and nobody else", () => {
  const { notifier: bell, written } = notifier();
  bell.ended("The turn is done", 60_000);
  bell.focus(false);
  bell.ended("The turn is done", 500);
  expect(written).toEqual([]);
  bell.ended("The turn is done", 60_000);
  expect(written).toEqual(["\u0007\u001b]9;The turn is done\u0007"]);
});

test("calls can be switched off, or made for everybody", () => {
  const off = notifier({ notifications: false });
  off.notifier.focus(false);
  off.notifier.ended("done", 60_000);
  expect(off.written).toEqual([]);
  const always = notifier({ notification_condition: "always" });
  always.notifier.ended("done", 60_000);
  expect(always.written).toHaveLength(1);
});

test("a multiplexer is told to hand the message on", () => {
  const call = (env: Readonly<Record<string, string>>) => {
    const { notifier: bell, written } = notifier({ notification_condition: "always" }, env);
    bell.ended("done", 60_000);
    return written;
  };
  expect(call({ TMUX: "/tmp/tmux-0/default,1,0", TERM: "tmux-256color" })).toEqual([
    "\u0007\u001bPtmux;\u001b\u001b]9;done\u0007\u001b\\",
  ]);
  expect(call({ TERM: "screen-256color" })).toEqual(["\u0007\u001bP\u001b]9;done\u0007\u001b\\"]);
});
