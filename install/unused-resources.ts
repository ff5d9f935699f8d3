import type { BunPlugin } from "bun";

/**
 * The `openai` client brings a class for each part of the API, a hundred files that every start would load. We send requests
 * with its `post` alone, so these classes are empty in the executable.
 */
export const withoutUnusedResources: BunPlugin = {
  name: "without-unused-resources",
  setup(build) {
    build.onLoad({ filter: /[\\/]openai[\\/]resources[\\/].*\.mjs$/ }, async ({ path }) => {
      const names = Object.keys(await import(path));
      return { contents: names.map((name) => `export class ${name} {}`).join("\n"), loader: "js" };
    });
  },
};
