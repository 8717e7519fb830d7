import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { getBuiltK6Path } from "../scenario-folder.ts";

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

const isRequired = (process.env["ASSAY_REQUIRE"] ?? "").split(",").some((name) => name.trim() === "k6");

/** The k6 in ASSAY_K6, or the one built here. Fails if ASSAY_REQUIRE names k6 and there is none. */
function findK6(): string | undefined {
  const path = [process.env["ASSAY_K6"] ?? "", getBuiltK6Path()].find((one) => one !== "" && isExecutable(one));
  if (path === undefined && isRequired) {
    throw new Error("there is no k6, but ASSAY_REQUIRE requires one: run npm run k6:build");
  }
  return path;
}

/** The k6 for tests; undefined without one. */
export const k6ForTests = findK6();

/** Appended to the title of a skipped `describe`. */
export const withoutK6 = k6ForTests === undefined ? " (skipped: no k6)" : "";

export interface K6Run {
  /** Undefined after a timeout. */
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

export interface K6Start {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Timeout [60000]. */
  readonly wallLimitMs?: number;
}

/** Runs k6 with only the given environment, and kills it after the timeout. */
export async function runK6({ args, env = {}, wallLimitMs = 60_000 }: K6Start): Promise<K6Run> {
  const child = spawn(k6ForTests ?? "k6", [...args], {
    env: { K6_NO_USAGE_REPORT: "true", K6_AUTO_EXTENSION_RESOLUTION: "false", ...env },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: wallLimitMs,
    killSignal: "SIGKILL",
  });
  const texts = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => void (texts.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => void (texts.stderr += text));
  const exitCode = await new Promise<number | undefined>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve(code ?? undefined));
  });
  return { exitCode, ...texts };
}
