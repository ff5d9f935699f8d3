import { expect, setDefaultTimeout, test } from "bun:test";
import { BROKEN_LINE, FIXED_LINE, layOutDemoRepository } from "../../src/providers/demo/repository.ts";
import { calls, says, startFakeServer } from "../support/fake-server.ts";
import { tempHome } from "../support/home.ts";
import { execJson, useModel, WIRES } from "./fake-model.ts";

setDefaultTimeout(120_000);

const PATCH = `apply_patch <<'EOF'
*** Begin Patch
*** Update File: slug.sh
@@
-${BROKEN_LINE}
+${FIXED_LINE}
*** End Patch
EOF`;

for (const wire of WIRES) {
  test(`${wire}: read, run the failing test, edit, run it again`, async () => {
    await using home = await tempHome();
    await layOutDemoRepository(`${home.cwd}/slug`);
    const run = (cmd: string) => calls("exec_command", { cmd, workdir: "slug", login: false });
    await using server = startFakeServer([
      run("cat slug.sh"),
      run("sh test.sh"),
      run(PATCH),
      run("sh test.sh"),
      says("All four tests pass."),
    ]);
    await useModel(home, server, { wire });
    const { exitCode, events } = await execJson(home, ["the tests fail, mend them"]);
    const items = events
      .filter((event) => event["type"] === "item.completed")
      .map((event) => Object(event["item"]));
    const commands = items.filter(({ type }) => type === "command_execution").map((item) => item.exit_code);
    const changed = items.some(({ type, status }) => type === "file_change" && status === "completed");
    expect({ exitCode, commands, changed }).toEqual({ exitCode: 0, commands: [0, 1, 0], changed: true });
    expect(JSON.stringify(server.requests.at(-1)?.body)).toContain("4 passed, 0 failed");
  });
}
