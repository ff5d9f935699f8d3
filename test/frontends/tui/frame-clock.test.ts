import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { FrameClock } from "../../../src/frontends/tui/frame-clock.ts";

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

function clockOf(isBehind = () => false): { clock: FrameClock; frames: () => number } {
  let count = 0;
  const clock = new FrameClock(() => count++, isBehind);
  return { clock, frames: () => count };
}

test("what streams is drawn 20 times a second, a key at once", () => {
  const { clock, frames } = clockOf();
  clock.now();
  for (let ms = 0; ms < 1000; ms += 10) {
    clock.request();
    jest.advanceTimersByTime(10);
  }
  expect(frames()).toBe(21);
  clock.now();
  expect(frames()).toBe(22);
});

test("after a resize nothing but keys is drawn until another size would have been told", () => {
  const { clock, frames } = clockOf();
  clock.resized();
  clock.request();
  jest.advanceTimersByTime(299);
  expect(frames()).toBe(1);
  clock.now();
  expect(frames()).toBe(2);
  clock.request();
  jest.advanceTimersByTime(50);
  expect(frames()).toBe(3);
});

test("no frame is drawn while the terminal does not keep up, and none after the end", () => {
  let isBehind = true;
  const { clock, frames } = clockOf(() => isBehind);
  clock.request();
  jest.advanceTimersByTime(1000);
  expect(frames()).toBe(0);
  isBehind = false;
  jest.advanceTimersByTime(100);
  expect(frames()).toBe(1);
  clock.request();
  clock.stop();
  jest.advanceTimersByTime(1000);
  clock.now();
  expect(frames()).toBe(1);
});
