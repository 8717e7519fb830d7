import { HarnessError } from "@assay/contract";
import type { AssayConfig } from "./assay-config.ts";
import type { Sections } from "./config-schema.ts";
import { type ConfigFile, type ConfigSearch, findConfig } from "./find-config.ts";
import { importConfig } from "./import-config.ts";

/** A configuration; empty if there is no file. */
export interface LoadedConfig {
  readonly file?: ConfigFile;
  readonly config: AssayConfig;
}

/** Where to search, and how to check. */
export interface ConfigLoading extends ConfigSearch {
  /** Flags of the commands, to check their sections [sections only have to be objects]. */
  readonly sections?: Sections;
  /** Maximum time for loading the file [10,000]. */
  readonly deadlineMs?: number;
}

/**
 * Finds, loads and checks the configuration file. A `.ts` or `.js` file is a program and is run; no other file is searched. Fails with a
 * `HarnessError` that names the file, the member and the expected value.
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
