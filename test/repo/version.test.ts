import { expect, test } from "bun:test";
import manifest from "../../package.json" with { type: "json" };
import { NAME, VERSION } from "../../src/util/package.ts";

test("the program calls itself as package.json does", () => {
  expect([NAME, VERSION]).toEqual([manifest.name, manifest.version]);
});
