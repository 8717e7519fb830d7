import { isHarnessError } from "@assay/contract";
import type { HarnessError } from "@assay/contract";
import { compileRoots } from "../compile-validators.ts";
import type { CompileOptions } from "../compile-validators.ts";
import type { JsonObject } from "../json-object.ts";
import type { Validator } from "../validator.ts";

/** Maximum number of values in the compiled schemas of a document, which takes some seconds. Real documents have hundreds. */
export const maxSchemaValues = 15_000;

/** Maximum number of schemas compiled individually if they cannot be compiled together. */
const maxSingleSchemas = 150;

/** Options for compiling schemas inside operations. */
export interface CompileSchemasOptions {
  readonly trust: "own" | "foreign";
  /** Receives a message about each unchecked part. */
  readonly onNote: (note: string) => void;
}

/**
 * Compiles schemas anywhere in a document. Keys are the schemas themselves, values are labels for notes. A schema that cannot be compiled
 * within the limits is omitted from the result and gets a note. The others are not affected. Does not throw.
 */
export const compileSchemas = (
  document: JsonObject,
  labels: ReadonlyMap<unknown, string>,
  options: CompileSchemasOptions,
): ReadonlyMap<unknown, Validator> => {
  const jointResult = compile(document, [...labels.keys()], { ...options, budget: { valuesLeft: maxSchemaValues } });
  if (!isHarnessError(jointResult)) {
    return jointResult;
  }
  const limits = { ...options, budget: { valuesLeft: maxSchemaValues } };
  const validators = new Map<unknown, Validator>();
  for (const [schema, label] of [...labels].slice(0, maxSingleSchemas)) {
    const singleResult = compile(document, [schema], limits);
    if (isHarnessError(singleResult)) {
      options.onNote(`The ${label} cannot be checked (${singleResult.message.slice(0, 300)}).`);
    } else {
      for (const [key, validator] of singleResult) {
        validators.set(key, validator);
      }
    }
  }
  if (labels.size > maxSingleSchemas) {
    options.onNote(`Only ${maxSingleSchemas} of ${labels.size} schemas in operations were compiled.`);
  }
  return validators;
};

const compile = (
  document: JsonObject,
  schemas: readonly unknown[],
  options: CompileOptions,
): ReadonlyMap<unknown, Validator> | HarnessError => {
  const schemasByName = new Map(schemas.map((schema, index) => [String(index), schema]));
  try {
    const compiled = compileRoots(document, schemasByName, options);
    return new Map(
      [...schemasByName].map(([name, schema]) => [schema, compiled.get(name)] as const).filter(isCompiled),
    );
  } catch (error) {
    if (isHarnessError(error)) {
      return error;
    }
    throw error;
  }
};

const isCompiled = (entry: readonly [unknown, Validator | undefined]): entry is readonly [unknown, Validator] =>
  entry[1] !== undefined;
