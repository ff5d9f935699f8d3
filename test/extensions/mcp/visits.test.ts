import { expect, test } from "bun:test";
import type { Asker, FormAnswer, UserAddress } from "../../../src/protocol/questions.ts";
import { callText, start, testServer } from "./support.ts";

function person(action: FormAnswer["action"]) {
  const seen: (UserAddress | string)[] = [];
  const asker: Asker = {
    ask: async () => undefined,
    async visit(place) {
      seen.push(place);
      return action;
    },
    visited: (id) => void seen.push(id),
  };
  return { asker, seen };
}

test("a call that needs a visit first is made again once the server says that the visit is over", async () => {
  const { asker, seen } = person("accept");
  await using started = await start({ t: testServer() }, {}, { asker });
  expect(await callText(started.clients, "visit")).toBe("called visit");
  expect(seen).toContainEqual({ message: "t: Pay first", url: "https://pay.example/1", id: "v1" });
  expect(seen).toContain("v1");
});

test("a visit that the person does not want, or that nobody can be asked for, is the call's failure", async () => {
  await using unwilling = await start({ t: testServer() }, {}, person("decline"));
  expect(await callText(unwilling.clients, "visit")).toBe(
    "error: the user did not want to open an address first: Pay first https://pay.example/1",
  );
  await using alone = await start({ t: testServer() });
  expect(await callText(alone.clients, "visit")).toBe(
    "error: the user has to do something in a browser first: Pay first https://pay.example/1",
  );
});

test("how far a server is can be followed", async () => {
  await using started = await start({ t: testServer() });
  const heard: string[] = [];
  const onProgress = (text: string) => heard.push(text);
  const call = { server: "t", tool: "progress", input: {}, onProgress };
  await started.clients.call(call, new AbortController().signal);
  // What comes together with the result may be left out: nobody waits for it any more.
  expect(heard.slice(0, 3)).toEqual(["0 of 4: step 0", "1 of 4: step 1", "2 of 4: step 2"]);
});
