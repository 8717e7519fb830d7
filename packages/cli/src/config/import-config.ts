import { basename, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { visibleText } from "@assay/evidence";
import { exitCodeOf } from "@assay/results";
import { UsageError } from "../command-error.ts";
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

/** What the file exports. Everything that c12 would add from elsewhere is off: other files, other folders, the network, variables. */
async function exported({ path }: ConfigFile): Promise<unknown> {
  // Loaded when there is a file: most runs have none.
  const { loadConfig } = await import("c12");
  const configFile = basename(path);
  isLoaded = true;
  const { layers = [] } = await loadConfig({
    cwd: dirname(path),
    name: "assay",
    configFile,
    rcFile: false,
    globalRc: false,
    packageJson: false,
    dotenv: false,
    envName: false,
    extend: false,
    giget: false,
    jitiOptions: { alias, fsCache: false, interopDefault: true },
  });
  // As it was exported: what c12 makes of several layers is none of ours.
  return layers.find((layer) => layer.configFile === configFile)?.config;
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

const firstLine = (error: unknown): string => {
  const text = textOf(error);
  const line = text.split("\n").find((each) => each.trim() !== "") ?? "";
  return visibleText(withoutTokens(line.trim()), 300);
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
 * The value that a configuration file exports, as plain data. Fails with a `UsageError` when it cannot be read, throws, does not come to an
 * end in time, or exports nothing.
 */
export async function importConfig(file: ConfigFile, deadlineMs: number): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<typeof isTooLate>((resolve) => {
    timer = setTimeout(() => resolve(isTooLate), deadlineMs);
  });
  const release = guard(file);
  try {
    const value = await Promise.race([exported(file), late]);
    if (value === isTooLate) {
      const what = `did not end within ${deadlineMs / 1000} s; leave out what it waits for`;
      throw new UsageError(`${file.shown} ${what}`);
    }
    return plainCopy(value);
  } catch (cause) {
    throw cause instanceof UsageError
      ? cause
      : new UsageError(
          `${file.shown} cannot be loaded: ${whyNot(cause, file)}; mend it, or leave it out by --no-config`,
          {
            cause,
          },
        );
  } finally {
    clearTimeout(timer);
    release();
  }
}

/** c12 stumbles over null, and over what it cannot make a copy of. */
function whyNot(cause: unknown, { path, shown }: ConfigFile): string {
  const text = firstLine(cause).replaceAll(path, shown);
  const isNothing = cause instanceof TypeError && /of (?:null|undefined) \(reading/u.test(text);
  return isNothing ? `${text} (does it export an object?)` : text;
}
