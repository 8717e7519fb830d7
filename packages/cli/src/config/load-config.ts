import { HarnessError } from "@assay/contract";
import type { AssayConfig } from "./assay-config.ts";
import type { Sections } from "./config-schema.ts";
import { type ConfigFile, type ConfigSearch, findConfig } from "./find-config.ts";
import { importConfig } from "./import-config.ts";

/** What a configuration file says; nothing where there is none. */
export interface LoadedConfig {
  readonly file?: ConfigFile;
  readonly config: AssayConfig;
}

/** Where to look, and how much to check. */
export interface ConfigLoading extends ConfigSearch {
  /** Flags of the commands, which their sections are checked by [only that sections are objects]. */
  readonly sections?: Sections;
  /** Most time the file may take to be evaluated [10,000]. */
  readonly deadlineMs?: number;
}

/**
 * Finds, loads and checks the configuration file. A `.ts` or `.js` file is a program and is run; nothing else is loaded with it.
 * Fails with a `HarnessError`: the file, the member, what is expected there.
 */
export async function loadConfig({ sections, deadlineMs = 10_000, ...search }: ConfigLoading): Promise<LoadedConfig> {
  const file = findConfig(search);
  if (file === undefined) {
    return { config: {} };
  }
  const value = await importConfig(file, deadlineMs);
  // Loaded when there is a file: most runs have none.
  const { checkConfig } = await import("./check-config.ts");
  const checked = checkConfig(value, sections);
  if (checked.mistake !== undefined) {
    throw new HarnessError("usage", `${file.shown}: ${checked.mistake}`);
  }
  return { file, config: checked.config };
}
