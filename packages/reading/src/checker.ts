import { Ajv2020 } from "ajv/dist/2020.js";
import type { CodeOptions, ErrorObject, ValidateFunction } from "ajv/dist/2020.js";
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

interface CheckerOptions {
  /** Default: false. */
  readonly allowsUnknownMembers?: boolean;
}

/** Compiles the check of a shape. With `code`, its code can be printed. */
export function compileShape(shape: TSchema, { allowsUnknownMembers = false }: CheckerOptions, code?: CodeOptions) {
  const isExcluded = (keyword: string, value: unknown): boolean =>
    allowsUnknownMembers && keyword === "additionalProperties" && value === false;
  const ajv = new Ajv2020({
    discriminator: true,
    strictTypes: false,
    strictRequired: false,
    // Tests check the schemas. Optimizing the generated code takes longer than reading a file with unoptimized code.
    meta: false,
    validateSchema: false,
    code: code ?? { optimize: false },
  });
  return { ajv, validate: ajv.compile(createSchema(shape, isExcluded)) };
}

/** Creates a checker from a compiled check, which is requested at its first use. */
export function toChecker<Value>(compile: () => ValidateFunction): Checker<Value> {
  let validate: ValidateFunction | undefined;
  const findErrors = (value: unknown): readonly ErrorObject[] => {
    validate ??= compile();
    return validate(value) ? [] : (validate.errors ?? []);
  };
  return {
    fits: (value): value is Value => findErrors(value).length === 0,
    problem: (value) => {
      const [first] = findErrors(value);
      return first === undefined ? undefined : describeError(first);
    },
  };
}

/**
 * Creates the checker of a shape. Unknown members are a problem unless `allowsUnknownMembers` is set. It is compiled at its first use,
 * which takes up to 100 ms for the largest shapes.
 */
export const createChecker = <Shape extends TSchema>(
  shape: Shape,
  options: CheckerOptions = {},
): Checker<Stored<Shape>> => toChecker(() => compileShape(shape, options).validate);
