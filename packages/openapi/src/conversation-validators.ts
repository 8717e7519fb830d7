import { HarnessError, currentOpenApi, legacyOpenApi } from "@assay/contract";
import type { CurrentSchemaName, LegacySchemaName } from "@assay/contract";
import { compileValidators } from "./compile-validators.ts";
import type { Validator } from "./compile-validators.ts";
import type { JsonObject } from "./json-object.ts";

/** A document of Assay, whose schema names are known. */
type OwnDocument<Name extends string> = JsonObject & {
  readonly components: { readonly schemas: Readonly<Record<Name, unknown>> };
};

/** Returns the validators of one of our documents, by schema name. Throws a `HarnessError` if it cannot be compiled. */
const compileNamedValidators = <Name extends string>(
  document: OwnDocument<Name>,
): Readonly<Record<Name, Validator>> => {
  const validators = Object.fromEntries(compileValidators(document, { trust: "own" }));
  if (!hasAllValidators(validators, document.components.schemas)) {
    throw new HarnessError("cannot-compile", "an OpenAPI document of Assay lacks a schema");
  }
  return validators;
};

const hasAllValidators = <Name extends string>(
  validators: Readonly<Record<string, Validator>>,
  schemas: Readonly<Record<Name, unknown>>,
): validators is Readonly<Record<Name, Validator>> =>
  Object.keys(schemas).every((name) => Object.hasOwn(validators, name));

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
