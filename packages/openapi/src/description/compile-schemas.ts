import { HarnessError, isHarnessError } from "@assay/contract";
import { compileValidators } from "../compile-validators.ts";
import type { Validator } from "../compile-validators.ts";
import { isJsonObject, ownMember, ownObject } from "../json-object.ts";
import type { JsonObject } from "../json-object.ts";
import { countValues } from "../json-size.ts";
import { dereference, targetOf } from "./dereference.ts";
import { decodeStep, isAnchorReference, leadsIntoComponent } from "../local-reference.ts";

/**
 * The component schemas of a document that `roots` refer to, directly or not, by name. All of them if there is a reference
 * by an anchor, which may stand anywhere. Undefined if more than `limit` values would have to be looked at.
 */
const reachableSchemas = (document: JsonObject, roots: readonly unknown[], limit: number): JsonObject | undefined => {
  const components = ownObject(ownObject(document, "components"), "schemas");
  const reached = new Map<string, unknown>();
  const seen = new Set<object>();
  const pending: unknown[] = [...roots];
  while (pending.length > 0) {
    if (pending.length + seen.size > limit) {
      return undefined;
    }
    const value = pending.pop();
    if (typeof value !== "object" || value === null || seen.has(value)) {
      continue;
    }
    seen.add(value);
    const references = isJsonObject(value) ? referencesOf(value) : [];
    if (references.some(isAnchorReference)) {
      return components;
    }
    const names = references.filter(leadsIntoComponent).map(componentName);
    for (const name of names.filter((wanted) => Object.hasOwn(components, wanted))) {
      reached.set(name, components[name]);
    }
    const targets = references.map((reference) => targetOf(document, reference));
    // Not spread into the call: a list of very many values has no room on the stack.
    for (const child of [Object.values(value), targets, names.map((name) => ownMember(components, name))].flat()) {
      pending.push(child);
    }
  }
  return Object.fromEntries(reached);
};

const referencesOf = (value: JsonObject): readonly string[] =>
  ["$ref", "$dynamicRef"].map((keyword) => ownMember(value, keyword)).filter((target) => typeof target === "string");

/** Name of the component that a reference leads to or into. */
const componentName = (reference: string): string => decodeStep(reference.split("/", 4)[3] ?? "");

/** Most values in the schemas of one document that are compiled, some seconds' worth; documents in use have hundreds. */
export const maxSchemaValues = 15_000;

/** Most schemas that are compiled one by one when they cannot be compiled together. */
const maxSingleSchemas = 150;

/** How schemas that stand in operations are compiled. */
export interface CompileSchemasOptions {
  readonly trust: "own" | "foreign";
  /** Gets a sentence about each thing that is not checked. */
  readonly onNote: (note: string) => void;
}

/**
 * Compiles schemas that may stand anywhere in a document. The key of each is the schema itself, the value a label for
 * notes. A schema that cannot be compiled within the limits is missing in the result, with a note; the others are not
 * harmed. Does not throw.
 */
export const compileSchemas = (
  document: JsonObject,
  labels: ReadonlyMap<unknown, string>,
  options: CompileSchemasOptions,
): ReadonlyMap<unknown, Validator> => {
  const limits = { ...options, valuesLeft: maxSchemaValues };
  const together = compile(document, [...labels.keys()], limits);
  if (!isHarnessError(together)) {
    return together;
  }
  limits.valuesLeft = maxSchemaValues;
  const validators = new Map<unknown, Validator>();
  for (const [schema, label] of [...labels].slice(0, maxSingleSchemas)) {
    const alone = compile(document, [schema], limits);
    if (isHarnessError(alone)) {
      options.onNote(`The ${label} cannot be checked (${alone.message.slice(0, 300)}).`);
    } else {
      for (const [key, validator] of alone) {
        validators.set(key, validator);
      }
    }
  }
  if (labels.size > maxSingleSchemas) {
    options.onNote(`Of ${labels.size} schemas in operations, ${maxSingleSchemas} were looked at.`);
  }
  return validators;
};

type Limits = CompileSchemasOptions & { valuesLeft: number };

const compile = (
  document: JsonObject,
  schemas: readonly unknown[],
  limits: Limits,
): ReadonlyMap<unknown, Validator> | HarnessError => {
  const named = new Map(schemas.map((schema, index) => [`operation/${index}`, schema]));
  const reached = reachableSchemas(document, schemas, limits.valuesLeft);
  const used = { ...reached, ...Object.fromEntries(named) };
  const size = countValues(used, limits.valuesLeft);
  if (reached === undefined || size > limits.valuesLeft) {
    return new HarnessError("too-expensive", `its schemas hold more than ${maxSchemaValues} values`);
  }
  limits.valuesLeft -= size;
  const components = { ...ownObject(document, "components"), schemas: lenient(document, used) };
  try {
    const compiled = compileValidators({ ...document, components }, limits);
    return new Map([...named].map(([name, schema]) => [schema, compiled.get(name)] as const).filter(isCompiled));
  } catch (error) {
    if (isHarnessError(error)) {
      return error;
    }
    throw error;
  }
};

const isCompiled = (entry: readonly [unknown, Validator | undefined]): entry is readonly [unknown, Validator] =>
  entry[1] !== undefined;

/** A copy of `value` in which no schema demands a member that it marks as one for requests only. */
const lenient = (document: JsonObject, value: unknown): unknown => {
  if (Array.isArray(value)) {
    return value.map((element: unknown) => lenient(document, element));
  }
  if (!isJsonObject(value)) {
    return value;
  }
  const copy = Object.fromEntries(Object.entries(value).map(([name, child]) => [name, lenient(document, child)]));
  const required = ownMember(value, "required");
  const properties = ownObject(value, "properties");
  const isDemanded = (name: unknown): boolean => !isForRequests(document, ownMember(properties, String(name)));
  return Array.isArray(required) ? { ...copy, required: required.filter(isDemanded) } : copy;
};

/** The mark may stand beside a reference, which 3.1 allows, or where it leads to. */
const isForRequests = (document: JsonObject, property: unknown): boolean =>
  isJsonObject(property) &&
  (ownMember(property, "writeOnly") === true || ownMember(dereference(document, property) ?? {}, "writeOnly") === true);
