import { HarnessError, isHarnessError } from "@assay/contract";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { visibleText } from "@assay/evidence";
import { exitCodeOf } from "@assay/results";
import type { ConfigFile } from "./find-config.ts";
import { createPlainCopy } from "./plain-copy.ts";
import { redactTokens } from "./token-text.ts";

const modulePath = fileURLToPath(import.meta.url);

/** The module that resolves `assay` and `@assay/cli/config` in a configuration file, even if neither is installed. */
const defineConfigPath = modulePath.replace(/import-config(?=\.[jt]s$)/u, "define-config");
const moduleAliases = { assay: defineConfigPath, "@assay/cli/config": defineConfigPath };

let isLoaded = false;

/**
 * Reports whether a configuration file was run in this process. The file may have left timers or sockets that keep the
 * process alive.
 */
export const hasLoadedConfig = (): boolean => isLoaded;

/** Options of the loader. They prevent temporary files. */
const loaderOptions = { alias: moduleAliases, fsCache: false, interopDefault: false } as const;

/** Loads a configuration file and returns its exported value. */
async function loadExport({ path }: ConfigFile): Promise<unknown> {
  isLoaded = true;
  // Loaded only if there is a file: most runs have none.
  const { createJiti } = await import("jiti");
  const module: unknown = await createJiti(path, loaderOptions).import(path);
  return typeof module === "object" && module !== null && "default" in module ? module.default : module;
}

const trialLoaderPath = fileURLToPath(new URL("../../worker/try-config.js", import.meta.url));

/** Words found in code that can block the event loop, where a timer cannot interrupt it. */
const blockingWords = /\b(?:while|for|do|require|wait|\w+Sync)\b|\bimport\s*\(|\bfrom\s*["'][./]/u;

/** Reports whether loading a file finishes in time. Tries it in a child process if the file contains a word that may block. */
function finishesLoading(file: ConfigFile, deadlineMs: number): boolean {
  if (file.path.endsWith(".json") || !blockingWords.test(readFileSync(file.path, "utf8"))) {
    return true;
  }
  const { error } = spawnSync(process.execPath, [trialLoaderPath, file.path, JSON.stringify(loaderOptions)], {
    stdio: "ignore",
    timeout: deadlineMs,
    killSignal: "SIGKILL",
  });
  return error === undefined || !("code" in error) || error.code !== "ETIMEDOUT";
}

/** Converts a thrown value to a string. */
function toMessage(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error);
  } catch {
    // The value cannot be converted to a string.
    return "it throws a value that cannot be converted to a string";
  }
}

/** Returns the position of a syntax error, which the loader prints on a separate line after its message. */
const findPosition = (text: string, { path }: ConfigFile): string =>
  text
    .split("\n")
    .map((line) => /^\s*(.*):(\d+):(\d+)$/u.exec(line))
    .flatMap((match) => (match?.[1] === path ? ` (line ${match[2]}, column ${match[3]})` : []))[0] ?? "";

/** Formats a thrown value: its first line and its position in the file, without the name of the file. */
const describeThrown = (error: unknown, file: ConfigFile): string => {
  const text = toMessage(error);
  const firstLine = text.split("\n").find((textLine) => textLine.trim() !== "") ?? "";
  const line = firstLine.trim().replace(`${file.path}: `, "").replaceAll(file.path, file.displayPath);
  return visibleText(redactTokens(`${line}${findPosition(text, file)}`), 300);
};

const timedOut = Symbol("timed out");

/**
 * Protects the result of the command from a configuration file. Redirects the file's output to standard error, so that it is not parsed as
 * JSON. If the file exits the process, the exit code is a usage error instead of success.
 */
function guardOutput({ displayPath }: ConfigFile): () => void {
  const { stdout, stderr } = process;
  const originalWrite = Object.getOwnPropertyDescriptor(stdout, "write");
  const onExit = (): void => {
    stderr.write(
      `assay: ${displayPath} exits the process while it is being loaded; remove process.exit, or ignore the file with --no-config\n`,
    );
    process.exitCode = exitCodeOf("usage-error");
  };
  stdout.write = stderr.write.bind(stderr);
  process.once("exit", onExit);
  return () => {
    Reflect.deleteProperty(stdout, "write");
    if (originalWrite !== undefined) {
      Object.defineProperty(stdout, "write", originalWrite);
    }
    process.off("exit", onExit);
  };
}

/**
 * Returns the exported value of a configuration file as plain data. Throws a `HarnessError` if the file is unreadable, throws, takes too
 * long, or has no export.
 */
export async function importConfig(file: ConfigFile, deadlineMs: number): Promise<unknown> {
  const timeoutError = new HarnessError(
    "usage",
    `${file.displayPath} did not finish loading within ${deadlineMs / 1000} s; remove code that blocks or waits for something`,
  );
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<typeof timedOut>((resolve) => {
    timer = setTimeout(() => resolve(timedOut), deadlineMs);
  });
  const restoreOutput = guardOutput(file);
  try {
    if (!finishesLoading(file, deadlineMs)) {
      throw timeoutError;
    }
    const value = await Promise.race([loadExport(file), timeout]);
    if (value === timedOut) {
      throw timeoutError;
    }
    return createPlainCopy(value);
  } catch (cause) {
    throw isHarnessError(cause)
      ? cause
      : new HarnessError(
          "usage",
          `${file.displayPath} cannot be loaded: ${describeThrown(cause, file)}; fix it, or ignore it with --no-config`,
          {
            cause,
          },
        );
  } finally {
    clearTimeout(timer);
    restoreOutput();
  }
}
