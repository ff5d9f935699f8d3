import { expect, test } from "bun:test";
import { liveSettings } from "../../../src/frontends/tui/live-settings.ts";
import { Notifier } from "../../../src/frontends/tui/notify.ts";

function notifier(tui: unknown = {}): { notifier: Notifier; written: string[] } {
  const written: string[] = [];
  const made = new Notifier(
    (text) => written.push(text),
    () => liveSettings(tui, {}),
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
