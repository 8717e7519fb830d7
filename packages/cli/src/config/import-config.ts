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

/** What `assay` and `@assay/cli/config` mean in a configuration file, also in a project that has neither. */
const definitions = self.replace(/import-config(?=\.[jt]s$)/u, "define-config");
const alias = { assay: definitions, "@assay/cli/config": definitions };

let isLoaded = false;

/** Whether a configuration file was run in this process: what it has begun may go on after everything else has ended. */
export const hasLoadedConfig = (): boolean => isLoaded;

/** What a configuration is loaded with: nothing of it is left in a folder of temporary files. */
const loading = { alias, fsCache: false, interopDefault: false } as const;

/** What the file exports. */
async function exported({ path }: ConfigFile): Promise<unknown> {
  isLoaded = true;
  // Loaded when there is a file: most runs have none.
  const { createJiti } = await import("jiti");
  const module: unknown = await createJiti(path, loading).import(path);
  return typeof module === "object" && module !== null && "default" in module ? module.default : module;
}

const tryFile = fileURLToPath(new URL("../../worker/try-config.js", import.meta.url));

/** Words of programs that may go on for ever without ever waiting: nothing in this process could end them. */
const endless = /\b(?:while|for|do|require|wait|\w+Sync)\b|\bimport\s*\(|\bfrom\s*["'][./]/u;

/** Whether a file comes to an end, tried in another process where it might not. */
function comesToAnEnd(file: ConfigFile, deadlineMs: number): boolean {
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

/** Whatever was thrown as a text; what cannot be made one has none. */
function textOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error);
  } catch {
    // The sentence goes on without it.
    return "it throws something that is no text";
  }
}

/** Where the loader says that the text of a file is none, on a line of its own after what is wrong with it. */
const placeIn = (text: string, { path }: ConfigFile): string =>
  text
    .split("\n")
    .map((line) => /^\s*(.*):(\d+):(\d+)$/u.exec(line))
    .flatMap((match) => (match?.[1] === path ? ` (line ${match[2]}, column ${match[3]})` : []))[0] ?? "";

/** The first line of what was thrown, and where in the file it is wrong; the name of the file is said before. */
const sentenceOf = (error: unknown, file: ConfigFile): string => {
  const text = textOf(error);
  const first = text.split("\n").find((each) => each.trim() !== "") ?? "";
  const line = first.trim().replace(`${file.path}: `, "").replaceAll(file.path, file.shown);
  return visibleText(withoutTokens(`${line}${placeIn(text, file)}`), 300);
};

const isTooLate = Symbol("too late");

/**
 * Keeps what a configuration does to this process from being taken for the result of the command: what it prints is sent to
 * standard error, where no program reads it as JSON, and when it ends the process that is a mistake, not a success.
 */
function guard({ shown }: ConfigFile): () => void {
  const { stdout, stderr } = process;
  const usual = Object.getOwnPropertyDescriptor(stdout, "write");
  const onExit = (): void => {
    stderr.write(
      `assay: ${shown} ends the process while it is loaded; leave process.exit out, or the file by --no-config\n`,
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
 * The value that a configuration file exports, as plain data. Fails with a `HarnessError` when it cannot be read, throws, does not come to an
 * end in time, or exports nothing.
 */
export async function importConfig(file: ConfigFile, deadlineMs: number): Promise<unknown> {
  const tooLate = new HarnessError(
    "usage",
    `${file.shown} did not end within ${deadlineMs / 1000} s; leave out what it waits for`,
  );
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<typeof isTooLate>((resolve) => {
    timer = setTimeout(() => resolve(isTooLate), deadlineMs);
  });
  const release = guard(file);
  try {
    if (!comesToAnEnd(file, deadlineMs)) {
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
          `${file.shown} cannot be loaded: ${sentenceOf(cause, file)}; fix it, or leave it out by --no-config`,
          {
            cause,
          },
        );
  } finally {
    clearTimeout(timer);
    release();
  }
}
