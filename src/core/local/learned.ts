import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { writeFileAtomic } from "../../util/fs.ts";
import { isRecord, parseJson } from "../../util/json.ts";

/** What had to be found out by trying, as old servers don't tell: models that can't call tools. Kept in one small file. */
export type Learned = {
  lacksTools(model: string): Promise<boolean>;
  noteLackOfTools(model: string): Promise<void>;
};

export function learnedModels(home: string, origin: string): Learned {
  const file = join(home, "local-models.json");
  const keyOf = (model: string) => `${origin} ${model}`;
  return {
    async lacksTools(model) {
      const facts = (await read(file))[keyOf(model)];
      return isRecord(facts) && facts["tools"] === false;
    },
    async noteLackOfTools(model) {
      const known = await read(file);
      const text = JSON.stringify({ ...known, [keyOf(model)]: { tools: false } }, null, 2);
      // Not to know it again costs one refused request, so a full disk is no reason to stop.
      await writeFileAtomic(file, `${text}\n`, { mode: 0o600 }).catch(() => undefined);
    },
  };
}

async function read(file: string): Promise<Readonly<Record<string, unknown>>> {
  const value = parseJson(await readFile(file, "utf8").catch(() => "{}"));
  return isRecord(value) ? value : {};
}
