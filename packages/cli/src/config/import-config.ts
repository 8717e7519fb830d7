import { HarnessError, isHarnessError } from "@assay/contract";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { visibleText } from "@assay/evidence";
import { exitCodeOf } from "@assay/results";
import type { ConfigFile } from "./find-config.ts";
import { plainCopy } from "./plain-copy.ts";
import { withoutTokens } from "./token-text.ts";

const self = fileURLToPath(import.meta.url);

/** The module for `assay` and `@assay/cli/config` in a configuration file, even if neither is installed. */
const definitions = self.replace(/import-config(?=\.[jt]s$)/u, "define-config");
const alias = { assay: definitions, "@assay/cli/config": definitions };

let isLoaded = false;

/** Whether a configuration file was run in this process. It may have started work that does not end. */
export const hasLoadedConfig = (): boolean => isLoaded;

/** Options of the loader. It leaves no temporary files. */
const loading = { alias, fsCache: false, interopDefault: false } as const;

/** The export of the file. */
async function exported({ path }: ConfigFile): Promise<unknown> {
  isLoaded = true;
  // Loaded only if there is a file: most runs have none.
  const { createJiti } = await import("jiti");
  const module: unknown = await createJiti(path, loading).import(path);
  return typeof module === "object" && module !== null && "default" in module ? module.default : module;
}

const tryFile = fileURLToPath(new URL("../../worker/try-config.js", import.meta.url));

/** Words of programs that may block this process forever, so that no timer could end them. */
const endless = /\b(?:while|for|do|require|wait|\w+Sync)\b|\bimport\s*\(|\bfrom\s*["'][./]/u;

/** Whether a file terminates. If it contains such words, it is tried in another process. */
function terminates(file: ConfigFile, deadlineMs: number): boolean {
  if (file.path.endsWith(".json") || !endless.test(readFileSync(file.path, "utf8"))) {
    return true;
  }
  const { error } = spawnSync(process.execPath, [tryFile, file.path, JSON.stringify(loading)], {
    stdio: "ignore",
    timeout: deadlineMs,
    killSignal: "SIGKILL",
  });
  return error === undefined || !("code" in error) || error.code !== "ETIMEDOUT";
}

/** A thrown value as text. */
function textOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error);
  } catch {
    // The value has no text.
    return "it throws a value that is not a text";
  }
}

/** The place of a syntax error, which the loader prints on a separate line after its message. */
const placeIn = (text: string, { path }: ConfigFile): string =>
  text
    .split("\n")
    .map((line) => /^\s*(.*):(\d+):(\d+)$/u.exec(line))
    .flatMap((match) => (match?.[1] === path ? ` (line ${match[2]}, column ${match[3]})` : []))[0] ?? "";

/** The first line of a thrown value with its place in the file, without the name of the file. */
const sentenceOf = (error: unknown, file: ConfigFile): string => {
  const text = textOf(error);
  const first = text.split("\n").find((each) => each.trim() !== "") ?? "";
  const line = first.trim().replace(`${file.path}: `, "").replaceAll(file.path, file.shown);
  return visibleText(withoutTokens(`${line}${placeIn(text, file)}`), 300);
};

const isTooLate = Symbol("too late");

/**
 * Guards the result of the command against a configuration file. Its output goes to standard error, so that it is not read as JSON. If it
 * ends the process, that is a usage error rather than a success.
 */
function guard({ shown }: ConfigFile): () => void {
  const { stdout, stderr } = process;
  const usual = Object.getOwnPropertyDescriptor(stdout, "write");
  const onExit = (): void => {
    stderr.write(
      `assay: ${shown} ends the process while it is loaded; remove process.exit, or ignore the file with --no-config\n`,
    );
    process.exitCode = exitCodeOf("usage-error");
  };
  stdout.write = stderr.write.bind(stderr);
  process.once("exit", onExit);
  return () => {
    Reflect.deleteProperty(stdout, "write");
    if (usual !== undefined) {
      Object.defineProperty(stdout, "write", usual);
    }
    process.off("exit", onExit);
  };
}

/**
 * The export of a configuration file, as plain data. Fails with a `HarnessError` if it is unreadable, throws, takes too long, or exports
 * nothing.
 */
export async function importConfig(file: ConfigFile, deadlineMs: number): Promise<unknown> {
  const tooLate = new HarnessError(
    "usage",
    `${file.shown} did not end within ${deadlineMs / 1000} s; remove the part that waits`,
  );
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<typeof isTooLate>((resolve) => {
    timer = setTimeout(() => resolve(isTooLate), deadlineMs);
  });
  const release = guard(file);
  try {
    if (!terminates(file, deadlineMs)) {
      throw tooLate;
    }
    const value = await Promise.race([exported(file), late]);
    if (value === isTooLate) {
      throw tooLate;
    }
    return plainCopy(value);
  } catch (cause) {
    throw isHarnessError(cause)
      ? cause
      : new HarnessError(
          "usage",
          `${file.shown} cannot be loaded: ${sentenceOf(cause, file)}; fix it, or ignore it with --no-config`,
          {
            cause,
          },
        );
  } finally {
    clearTimeout(timer);
    release();
  }
}
