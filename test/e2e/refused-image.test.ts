import { expect, setDefaultTimeout, test } from "bun:test";
import { refuses, says, startFakeServer } from "../support/fake-server.ts";
import { tempHome } from "../support/home.ts";
import { execJson, useModel, WIRES } from "./fake-model.ts";

// Each test starts the program several times, on machines that may be busy.
setDefaultTimeout(120_000);

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAACklEQVR4nGMAAQAABQABDQottAAAAABJRU5ErkJggg==";

for (const wire of WIRES) {
  test(`${wire}: a picture that the server can't use is left out, in this run and in later ones`, async () => {
    await using home = await tempHome();
    const refusal = refuses(400, {
      error: {
        message: "image exceeds 5 MB maximum: 7000000 bytes > 5242880 bytes",
        type: "invalid_request_error",
      },
    });
    await using server = startFakeServer([refusal, says("one"), refusal, says("two")]);
    await useModel(home, server, { wire });
    await home.write("p.png", "");
    await Bun.write(`${home.cwd}/p.png`, Buffer.from(PIXEL, "base64"));
    const first = await execJson(home, ["look", "-i", "p.png"]);
    const second = await execJson(home, ["resume", "--last", "again"]);
    expect([first.exitCode, second.exitCode]).toEqual([0, 0]);
    const bodies = server.requests.map(({ body }) => JSON.stringify(body));
    expect(bodies.map((body) => body.includes(PIXEL))).toEqual([true, false, true, false]);
    expect(bodies[1]).toContain("[image left out: the model server refused it]");
    expect(first.stderr).toContain("the model server refused the images sent so far");
  });
}
