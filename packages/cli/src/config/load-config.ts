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

/** Options for finding and checking the file. */
export interface LoadConfigOptions extends ConfigSearch {
  /** Returns the flags of the commands, used to check their sections. Without it, sections only have to be objects. */
  readonly readSections?: () => Promise<CommandFlags>;
  /** Time limit for loading the file. Default: 10,000. */
  readonly deadlineMs?: number;
}

/**
 * Finds, loads and checks the configuration file. A `.ts` or `.js` file is executed as a program. Throws a `HarnessError` that contains the
 * file, the member and the expected value.
 */
export async function loadConfig({
  readSections,
  deadlineMs = 10_000,
  ...search
}: LoadConfigOptions): Promise<LoadedConfig> {
  const file = findConfig(search);
  if (file === undefined) {
    return { config: {} };
  }
  const value = await importConfig(file, deadlineMs);
  // Loaded only if there is a file: most runs have none.
  const { checkConfig } = await import("./check-config.ts");
  const checkedConfig = checkConfig(value, await readSections?.());
  if (checkedConfig.mistake !== undefined) {
    throw new HarnessError("usage", `${file.displayPath}: ${checkedConfig.mistake}`);
  }
  return { file, config: checkedConfig.config };
}
