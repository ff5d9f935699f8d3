import { expect, test } from "bun:test";
import manifest from "../../package.json" with { type: "json" };
import { NAME, VERSION } from "../../src/util/package.ts";

test("the program calls itself what the package says", () => {
  expect([NAME, VERSION]).toEqual([manifest.name, manifest.version]);
});
