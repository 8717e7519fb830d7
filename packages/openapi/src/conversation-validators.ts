import { currentOpenApi, legacyOpenApi } from "@assay/contract";
import type { CurrentSchemaName, LegacySchemaName } from "@assay/contract";
import { compileNamedValidators } from "./named-validators.ts";
import type { Validator } from "./validator.ts";

/** Validators of our document of the legacy conversation interface, by schema name. */
export type LegacyValidators = Readonly<Record<LegacySchemaName, Validator>>;

/** Validators of our document of the current conversation interface, by schema name. */
export type CurrentValidators = Readonly<Record<CurrentSchemaName, Validator>>;

let legacy: LegacyValidators | undefined;
let current: CurrentValidators | undefined;

/** Compiled on the first call, in some tens of milliseconds, and cached. Source: conversation-api, sections 2 and 7. */
export const legacyValidators = (): LegacyValidators => {
  legacy ??= compileNamedValidators(legacyOpenApi);
  return legacy;
};

/**
 * Compiled on the first call, in some tens of milliseconds, and cached. Source: conversation-api, sections 2.4, 3.2 and 7.
 */
export const currentValidators = (): CurrentValidators => {
  current ??= compileNamedValidators(currentOpenApi);
  return current;
};
