import { expect, test } from "bun:test";
import { webFetch } from "../../src/tools/web-fetch.ts";
import { workbench } from "./files/workbench.ts";

test("nothing is fetched where the network is off", async () => {
  await using bench = await workbench();
  const policy = { mode: "external", network: false } as const;
  expect(await bench.ask(webFetch, { url: "https://example.com" }, { policy })).toBe(
    "network access is off in this session, so nothing can be fetched",
  );
});

test("only web addresses are taken", async () => {
  await using bench = await workbench();
  expect(await bench.ask(webFetch, { url: "file:///etc/passwd" })).toBe(
    'wanted an http or https address, found "file:///etc/passwd"',
  );
});

test("services of this machine are not reached", async () => {
  await using bench = await workbench();
  expect(await bench.ask(webFetch, { url: "http://127.0.0.1:1/" })).toBe(
    "127.0.0.1 was not found, or is not a host of the public internet",
  );
});

test("on an air-gapped machine nothing is fetched, whatever the sandbox allows", async () => {
  await using bench = await workbench();
  expect(await bench.ask(webFetch, { url: "http://192.0.2.1/" }, { isAirGapped: true })).toBe(
    "this machine is cut off from the internet (air_gapped = true), so nothing can be fetched",
  );
});
