import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { Patience } from "../../../src/tools/workflow/patience.ts";

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

function patience() {
  const runOut = jest.fn();
  return { patience: new Patience(1000, runOut), runOut };
}

test("it runs out when nothing is heard", () => {
  const { runOut } = patience();
  jest.advanceTimersByTime(999);
  expect(runOut).not.toHaveBeenCalled();
  jest.advanceTimersByTime(1);
  expect(runOut).toHaveBeenCalledTimes(1);
});

test("each thing that is heard begins it anew", () => {
  const { patience: it, runOut } = patience();
  for (let n = 0; n < 5; n++) {
    jest.advanceTimersByTime(900);
    it.renew();
  }
  expect(runOut).not.toHaveBeenCalled();
  jest.advanceTimersByTime(1000);
  expect(runOut).toHaveBeenCalledTimes(1);
});

test("it waits for work as long as that takes, also when something is heard meanwhile", async () => {
  const { patience: it, runOut } = patience();
  const works = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  for (const { promise } of works) it.extend(promise);
  it.renew();
  jest.advanceTimersByTime(100_000);
  expect(runOut).not.toHaveBeenCalled();
  for (const { resolve } of works) resolve();
  await Promise.all(works.map(({ promise }) => promise));
  jest.advanceTimersByTime(1000);
  expect(runOut).toHaveBeenCalledTimes(1);
});

test("after its end nothing makes it run out", async () => {
  const { patience: it, runOut } = patience();
  const work = Promise.resolve();
  it.extend(work);
  it.end();
  await work;
  it.renew();
  jest.advanceTimersByTime(100_000);
  expect(runOut).not.toHaveBeenCalled();
});
