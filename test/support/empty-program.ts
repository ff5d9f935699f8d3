import { join } from "node:path";

/** Compiles a program that does nothing, for comparing what starting costs. Returns its path. */
export async function buildEmptyProgram(folder: string): Promise<string> {
  const source = join(folder, "empty.ts");
  const outfile = join(folder, "empty");
  await Bun.write(source, "export {};\n");
  const built = await Bun.build({
    entrypoints: [source],
    target: "bun",
    format: "esm",
    bytecode: true,
    compile: { outfile, autoloadDotenv: false, autoloadBunfig: false },
  });
  if (!built.success) throw new Error(built.logs.join("\n"));
  return outfile;
}
