import { currentOpenApi, legacyOpenApi } from "@assay/contract";
import type { CurrentSchemaName, LegacySchemaName } from "@assay/contract";
import type { Validator } from "./compile-validators.ts";
import { namedValidators } from "./named-validators.ts";

/** Validators of the project's own document of the legacy conversation interface, by the name of the schema. */
export type LegacyValidators = Readonly<Record<LegacySchemaName, Validator>>;

/** Validators of the project's own document of the current conversation interface, by the name of the schema. */
export type CurrentValidators = Readonly<Record<CurrentSchemaName, Validator>>;

let legacy: LegacyValidators | undefined;
let current: CurrentValidators | undefined;

/** Compiled at the first call, in some tens of milliseconds, and kept. Source: conversation-api, sections 2 and 7. */
export const legacyValidators = (): LegacyValidators => {
  legacy ??= namedValidators(legacyOpenApi);
  return legacy;
};

/** Compiled at the first call, in some tens of milliseconds, and kept. Source: conversation-api, sections 2.4, 3.2 and 7. */
export const currentValidators = (): CurrentValidators => {
  current ??= namedValidators(currentOpenApi);
  return current;
};
