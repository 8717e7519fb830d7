/** Shared by building and testing the Go module. */
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";

/** The Go module. */
export const folder = fileURLToPath(new URL(".", import.meta.url));

const oldestGo = [1, 26];

/** Makes builds reproducible whatever the shell sets: no version control stamps, no other modules. */
export const goEnv = {
  GOTOOLCHAIN: "local",
  ...process.env,
  GOFLAGS: "-mod=readonly -buildvcs=false",
  GOWORK: "off",
};

/** Returns a sentence if Go is missing or too old, else undefined. */
export function missingGo() {
  const how = `install Go ${oldestGo.join(".")} or newer (https://go.dev/dl/)`;
  // Run outside the module, since an older Go refuses to run inside it.
  const { error, status, stdout } = spawnSync("go", ["env", "GOVERSION"], {
    cwd: tmpdir(),
    env: goEnv,
    encoding: "utf8",
  });
  if (error !== undefined || status !== 0) {
    return `Go was not found; ${how}.`;
  }
  const version = stdout.trim();
  const [, major, minor] = /^go(\d+)\.(\d+)/u.exec(version) ?? [];
  // A development version of Go has no number; it is new enough.
  const isOld = major !== undefined && (Number(major) - oldestGo[0] || Number(minor) - oldestGo[1]) < 0;
  return isOld ? `Go is too old (${version}); ${how}.` : undefined;
}

/** Runs `go` in a folder and returns whether it succeeded. Its output goes to the terminal. */
export function runGo(args, { cwd = folder, env = {} } = {}) {
  const stdio = ["ignore", "inherit", "inherit"];
  return spawnSync("go", args, { cwd, env: { ...goEnv, ...env }, stdio }).status === 0;
}

const maxOutputBytes = 256 * 1024 * 1024;

/** Runs `go` in the module and returns whether it succeeded, with its output. */
export function readGo(args, env = {}) {
  const options = { cwd: folder, env: { ...goEnv, ...env }, encoding: "utf8", maxBuffer: maxOutputBytes };
  const { status, stdout } = spawnSync("go", args, { ...options, stdio: ["ignore", "pipe", "inherit"] });
  return { isGood: status === 0, output: stdout };
}
