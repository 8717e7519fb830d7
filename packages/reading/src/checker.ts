import { Ajv2020 } from "ajv/dist/2020.js";
import type { ErrorObject, ValidateFunction } from "ajv/dist/2020.js";
import type { TSchema } from "typebox";
import { createSchema, type Stored } from "./stored-shape.ts";

/** Describes a validation error as a clause with its JSON pointer. */
function describeError({ instancePath, keyword, params, message = "does not fit" }: ErrorObject): string {
  const place = instancePath === "" ? "the whole" : instancePath;
  if (keyword !== "discriminator") {
    return `${place} ${message}`;
  }
  return params["tagValue"] === undefined
    ? `${place} must have required property '${params["tag"]}'`
    : `${instancePath}/${params["tag"]} has an unknown value`;
}

/** Checks values against one shape. */
export interface Checker<Value> {
  readonly fits: (value: unknown) => value is Value;
  /**
   * The first problem of a value, as a clause with its JSON pointer, such as `/verdicts/3/verdict must have required property 'outcome'`.
   * Undefined if the value fits. Does not quote the names of unknown members.
   */
  readonly problem: (value: unknown) => string | undefined;
}

/**
 * Creates the checker of a shape. Unknown members are a problem unless `allowsUnknownMembers` is set. It is compiled at its first use,
 * which takes up to 100 ms for the largest shapes.
 */
export function createChecker<Shape extends TSchema>(
  shape: Shape,
  { allowsUnknownMembers = false }: { readonly allowsUnknownMembers?: boolean } = {},
): Checker<Stored<Shape>> {
  const isExcluded = (keyword: string, value: unknown): boolean =>
    allowsUnknownMembers && keyword === "additionalProperties" && value === false;
  let validator: ValidateFunction | undefined;
  const compile = (): ValidateFunction =>
    new Ajv2020({
      discriminator: true,
      strictTypes: false,
      strictRequired: false,
      // Tests check the schemas. Optimizing the generated code takes longer than reading a file with unoptimized code.
      meta: false,
      validateSchema: false,
      code: { optimize: false },
    }).compile(createSchema(shape, isExcluded));
  const findErrors = (value: unknown): readonly ErrorObject[] => {
    validator ??= compile();
    return validator(value) ? [] : (validator.errors ?? []);
  };
  return {
    fits: (value): value is Stored<Shape> => findErrors(value).length === 0,
    problem: (value) => {
      const [first] = findErrors(value);
      return first === undefined ? undefined : describeError(first);
    },
  };
}
