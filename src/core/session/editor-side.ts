import type { Editor } from "../../protocol/editor.ts";
import type { Sandbox } from "../../protocol/policy.ts";

/**
 * An editor follows links when it writes. While a confined command runs, which could put a link in the way of the file,
 * files are written by us instead: we don't follow it. Use the sandbox that comes back for every command.
 */
export function editorBeside(sandbox: Sandbox, editor: Editor): { sandbox: Sandbox; editor: Editor } {
  let confined = 0;
  const { read, write } = editor;
  return {
    sandbox: {
      id: sandbox.id,
      available: () => sandbox.available(),
      denied: (result) => sandbox.denied(result),
      async wrap(command, policy, options) {
        const spec = await sandbox.wrap(command, policy, options);
        if (policy.mode !== "restricted") return spec;
        confined += 1;
        return {
          ...spec,
          release() {
            confined -= 1;
            spec.release();
          },
        };
      },
    },
    editor: {
      ...(read ? { read: (path) => read.call(editor, path) } : {}),
      ...(write
        ? { write: async (path, text) => confined === 0 && (await write.call(editor, path, text)) }
        : {}),
    },
  };
}
