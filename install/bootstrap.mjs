// Starts one of this project's scripts on a machine that has only Node.js (or only Bun): fetches the pinned Bun from npm
// into .tools/, installs the locked dependencies with it, then runs `bun run <script>`. Node only, so plain JavaScript.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const wanted = manifest.packageManager.split("@")[1];
const isWindows = process.platform === "win32";

function versionOf(bun) {
  const answer = spawnSync(bun, ["--version"], { encoding: "utf8" });
  return answer.status === 0 ? answer.stdout.trim() : undefined;
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

function findBun() {
  const local = join(root, ".tools", "node_modules", "bun", "bin", "bun.exe");
  const candidates = [process.versions.bun ? process.execPath : undefined, "bun", local];
  const found = candidates.find((bun) => bun && versionOf(bun) === wanted);
  if (found) return found;
  process.stderr.write(`fetching bun ${wanted} from the npm registry into .tools/\n`);
  // With npm's own patience, a machine without a network would wait for minutes and say nothing.
  const patience = ["--prefer-offline", "--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=5000"];
  const place = ["--no-save", "--no-package-lock", "--prefix", join(root, ".tools")];
  const args = ["install", ...place, "--no-fund", "--no-audit", ...patience, `bun@${wanted}`];
  const installed = spawnSync(isWindows ? "npm.cmd" : "npm", args, { stdio: ["ignore", 2, 2], shell: isWindows });
  if (installed.status !== 0) fail(`npm could not install bun@${wanted}; check the network or the npm registry setting, then run the command again`);
  if (existsSync(local) && versionOf(local) === wanted) return local;
  return fail(`bun@${wanted} was installed but does not start (${local}); remove .tools/ and run the command again`);
}

function run(bun, args) {
  const path = bun === "bun" ? process.env.PATH : `${dirname(bun)}${delimiter}${join(root, ".tools", "node_modules", ".bin")}${delimiter}${process.env.PATH}`;
  const done = spawnSync(bun, args, { cwd: root, stdio: "inherit", env: { ...process.env, PATH: path } });
  if (done.status !== 0) process.exit(done.status ?? 1);
}

const [verb, ...rest] = process.argv.slice(2);
if (verb !== "run" || rest.length === 0) fail("usage: node install/bootstrap.mjs run <script> [arguments]");
const bun = findBun();
run(bun, ["install", "--frozen-lockfile"]);
run(bun, ["run", ...rest]);
