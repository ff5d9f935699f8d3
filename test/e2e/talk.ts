import { type FakeChoice, type FakeServer, type FakeTurn, startFakeServer } from "../support/fake-server.ts";
import { type TempHome, tempHome } from "../support/home.ts";
import { startTui, type Tui, type TuiOptions } from "../support/tui.ts";
import { useModel } from "./fake-model.ts";

export type Talk = AsyncDisposable & { tui: Tui; home: TempHome; server: FakeServer };

export type TalkOptions = TuiOptions &
  Parameters<typeof useModel>[2] & {
    /** Of the command line. */
    args?: readonly string[];
  };

/** The terminal interface in a trusted folder, with a model that plays `turns`; ready for what is typed. */
export async function openTalk(
  turns: readonly (FakeTurn | FakeChoice)[],
  { wire, config, tables = "", args = [], ...options }: TalkOptions = {},
): Promise<Talk> {
  const server = startFakeServer(turns);
  const home = await tempHome();
  const trusted = `[projects.${JSON.stringify(home.cwd)}]\ntrust_level = "trusted"\n`;
  await useModel(home, server, { wire, config, tables: tables + trusted });
  const tui = startTui(home, args, options);
  await tui.until(options.env?.["TERM"] === "dumb" ? /^>$/m : /100% left/);
  return {
    tui,
    home,
    server,
    async [Symbol.asyncDispose]() {
      await tui[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}
