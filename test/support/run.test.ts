import { expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { NAME, VERSION } from "../../src/util/package.ts";
import { tempHome } from "./home.ts";
import { run } from "./run.ts";

test("the program under test starts in a temporary home and says who it is", async () => {
  await using home = await tempHome();
  expect(await run(home, ["--version"])).toEqual({
    exitCode: 0,
    stdout: `${NAME} ${VERSION}\n`,
    stderr: "",
    events: [],
  });
});

test("a temporary home is gone after its block", async () => {
  let folder: string;
  {
    await using home = await tempHome();
    folder = home.cwd;
    await home.write("a/b.txt", "text");
    expect(await readdir(folder)).toEqual(["a"]);
  }
  await expect(readdir(folder)).rejects.toMatchObject({ code: "ENOENT" });
});
