import { chmodSync, readdirSync, rmdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makePrivateFolder } from "../../util/fs.ts";
import { shortHex } from "../../util/ids.ts";
import { RUN_AS_APPLY_PATCH } from "../../util/package.ts";
import { shellQuote } from "../../util/shell-quote.ts";

/**
 * A folder for the front of a command's PATH, with programs that this executable stands in for: `apply_patch`, which models
 * also call in the middle of their scripts. It is made for the first command and removed on disposal; what killed
 * processes have left is removed with the next one.
 */
export class ProgramFolder implements Disposable {
  readonly #parent: string;
  /** Set once it was tried. */
  #path: string | undefined;
  #isMade = false;

  /** `stateDir`: a folder that no command may write to. */
  constructor(stateDir: string) {
    this.#parent = join(stateDir, "programs");
  }

  /** Undefined where no such folder can be made: the programs help, but nothing depends on them. */
  path(): string | undefined {
    if (this.#path === undefined) {
      this.#path = join(this.#parent, `${process.pid}-${shortHex(8)}`);
      this.#isMade = this.#make(this.#path);
    }
    return this.#isMade ? this.#path : undefined;
  }

  [Symbol.dispose](): void {
    if (this.#path === undefined) return;
    try {
      rmSync(this.#path, { recursive: true, force: true });
      rmdirSync(this.#parent);
    } catch {
      // Another process has its folder there, or nothing could be made in the first place.
    }
  }

  #make(path: string): boolean {
    try {
      makePrivateFolder(path);
      addProgram(path);
      sweep(this.#parent);
      return true;
    } catch {
      return false;
    }
  }
}

function addProgram(folder: string): void {
  if (process.platform === "win32") {
    writeFileSync(join(folder, "apply_patch.bat"), `@"${process.execPath}" ${RUN_AS_APPLY_PATCH} %*\r\n`);
  } else if (isCompiled()) {
    symlinkSync(process.execPath, join(folder, "apply_patch"));
  } else {
    // Run from source, the executable is Bun itself, which does not look at the name it was called by.
    const argv = shellQuote([process.execPath, Bun.main, RUN_AS_APPLY_PATCH]);
    writeFileSync(join(folder, "apply_patch"), `#!/bin/sh\nexec ${argv} "$@"\n`);
    chmodSync(join(folder, "apply_patch"), 0o700);
  }
}

function isCompiled(): boolean {
  return /^(\/\$bunfs\/|[A-Z]:[\\/]~BUN[\\/])/.test(Bun.main);
}

function sweep(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = Number(/^(\d+)-/.exec(name)?.[1]);
    if (pid > 0 && !isRunning(pid)) rmSync(join(parent, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (cause) {
    return cause instanceof Error && "code" in cause && cause.code === "EPERM";
  }
}
