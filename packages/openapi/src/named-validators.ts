import { HarnessError } from "@assay/contract";
import { compileValidators } from "./compile-validators.ts";
import type { JsonObject } from "./json-object.ts";
import type { Validator } from "./validator.ts";

/** A document of Assay, whose schema names are known. */
type OwnDocument<Name extends string> = JsonObject & {
  readonly components: { readonly schemas: Readonly<Record<Name, unknown>> };
};

/** Returns the validators of one of our documents, by schema name. Throws a `HarnessError` if it cannot be compiled. */
export const compileNamedValidators = <Name extends string>(
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
