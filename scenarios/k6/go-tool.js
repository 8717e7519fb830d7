/** Runs Go, for building and testing the Go module. */
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";

/** The folder of the Go module. */
export const moduleFolder = fileURLToPath(new URL(".", import.meta.url));

const minGoVersion = [1, 26];

/** Makes builds reproducible regardless of the shell's settings: no version control stamps, no workspace. */
export const goEnv = {
  GOTOOLCHAIN: "local",
  ...process.env,
  GOFLAGS: "-mod=readonly -buildvcs=false",
  GOWORK: "off",
};

/** Returns a sentence if Go is missing or too old, else undefined. */
export function findGoProblem() {
  const advice = `install Go ${minGoVersion.join(".")} or newer (https://go.dev/dl/)`;
  // Run outside the module, since an older Go refuses to run inside it.
  const { error, status, stdout } = spawnSync("go", ["env", "GOVERSION"], {
    cwd: tmpdir(),
    env: goEnv,
    encoding: "utf8",
  });
  if (error !== undefined || status !== 0) {
    return `Go was not found; ${advice}.`;
  }
  const version = stdout.trim();
  const [, major, minor] = /^go(\d+)\.(\d+)/u.exec(version) ?? [];
  // A development version of Go has no number; it is new enough.
  const isOld = major !== undefined && (Number(major) - minGoVersion[0] || Number(minor) - minGoVersion[1]) < 0;
  return isOld ? `Go is too old (${version}); ${advice}.` : undefined;
}

/** Runs `go` in a folder and returns whether it succeeded. Its output goes to the terminal. */
export function runGo(args, { cwd = moduleFolder, env = {} } = {}) {
  const stdio = ["ignore", "inherit", "inherit"];
  return spawnSync("go", args, { cwd, env: { ...goEnv, ...env }, stdio }).status === 0;
}

const maxOutputBytes = 256 * 1024 * 1024;

/** Runs `go` in the module and returns whether it succeeded, with its output. */
export function readGo(args, env = {}) {
  const options = { cwd: moduleFolder, env: { ...goEnv, ...env }, encoding: "utf8", maxBuffer: maxOutputBytes };
  const { status, stdout } = spawnSync("go", args, { ...options, stdio: ["ignore", "pipe", "inherit"] });
  return { isSuccessful: status === 0, output: stdout };
}
