import { expect, test } from "bun:test";
import { errorBody } from "../../src/model/error-body.ts";

type Controller = ReadableStreamDefaultController<Uint8Array>;
type Source = { start?(to: Controller): void; pull?(to: Controller): void; cancel?(): void };

function responseOf(source: Source): Response {
  return new Response(new ReadableStream(source), { status: 500 });
}

const BEGINNING = new TextEncoder().encode("out of memory");

test("a server that goes silent in the middle of an error is not waited for", async () => {
  let isLeft = false;
  const response = responseOf({
    start: (controller) => controller.enqueue(BEGINNING),
    cancel: () => {
      isLeft = true;
    },
  });
  expect(await errorBody(response, undefined, 1)).toBe("out of memory");
  expect(isLeft).toBe(true);
});

test("an error without end is read as far as it can be of use", async () => {
  const block = new Uint8Array(400_000).fill(120);
  const response = responseOf({ pull: (controller) => controller.enqueue(block) });
  expect(await errorBody(response, undefined)).toHaveLength(1_200_000);
});

test("an error whose connection breaks is told as far as it came, and an interrupt stays one", async () => {
  const torn = () => {
    let isBegun = false;
    return responseOf({
      pull(controller) {
        if (isBegun) controller.error(new Error("torn"));
        else controller.enqueue(BEGINNING);
        isBegun = true;
      },
    });
  };
  expect(await errorBody(torn(), undefined)).toBe("out of memory");
  await expect(errorBody(torn(), AbortSignal.abort())).rejects.toThrow("torn");
});
