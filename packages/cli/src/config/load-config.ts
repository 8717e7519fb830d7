import { HarnessError } from "@assay/contract";
import type { AssayConfig } from "./assay-config.ts";
import type { CommandFlags } from "./config-schema.ts";
import { type ConfigFile, type ConfigSearch, findConfig } from "./find-config.ts";
import { importConfig } from "./import-config.ts";

/** A configuration, empty if there is no file. */
export interface LoadedConfig {
  readonly file?: ConfigFile;
  readonly config: AssayConfig;
}

/** Where to search for the file, and how to check it. */
export interface ConfigLoading extends ConfigSearch {
  /** Flags of the commands, used to check their sections [sections only have to be objects]. */
  readonly sections?: CommandFlags;
  /** Time limit for loading the file [10,000]. */
  readonly deadlineMs?: number;
}

/**
 * Finds, loads and checks the configuration file. A `.ts` or `.js` file is executed as a program. Throws a `HarnessError` that contains the
 * file, the member and the expected value.
 */
export async function loadConfig({ sections, deadlineMs = 10_000, ...search }: ConfigLoading): Promise<LoadedConfig> {
  const file = findConfig(search);
  if (file === undefined) {
    return { config: {} };
  }
  const value = await importConfig(file, deadlineMs);
  // Loaded only if there is a file: most runs have none.
  const { checkConfig } = await import("./check-config.ts");
  const checked = checkConfig(value, sections);
  if (checked.mistake !== undefined) {
    throw new HarnessError("usage", `${file.shown}: ${checked.mistake}`);
  }
  return { file, config: checked.config };
}
