import { HarnessError, isHarnessError } from "@assay/contract";
import type { ValidateFunction } from "ajv/dist/2020.js";
import { hasMoreValuesThan } from "./json-size.ts";
import type { SchemaError } from "./schema-error.ts";
import { toSchemaErrors } from "./schema-error.ts";

/** Validates parsed JSON against one schema. Values must come from `JSON.parse`. */
export interface Validator {
  /** Reports whether `value` is valid. Stops at the first error, for use in hot paths. */
  check(value: unknown): boolean;
  /** Returns up to 20 errors, or none for a valid value. For a value with more than 20,000 parts, returns only the first one. */
  errors(value: unknown): readonly SchemaError[];
  /**
   * Returns the keywords, sorted, that make the validity of a value without errors uncertain: unsupported and ambiguous ones. Empty if the
   * value is known to be valid.
   */
  doubts(value: unknown): readonly string[];
}

/** The compiled functions of one schema. Each getter may compile on its first call. */
export interface CompiledSchema {
  /** Stops at the first error. */
  readonly firstError: () => ValidateFunction;
  readonly allErrors: () => ValidateFunction;
  /** Only accepts values that are certainly valid. Absent if `firstError` is exact. */
  readonly strict?: () => ValidateFunction;
  /** Returns the keywords that make validity uncertain. */
  readonly listDoubts?: () => readonly string[];
  /** Called before each check. */
  readonly onRun?: () => void;
}

const maxValuesForAllErrors = 20_000;

/** Creates the validator of a compiled schema. */
export const createValidator = ({
  firstError,
  allErrors,
  strict,
  listDoubts = () => [],
  onRun,
}: CompiledSchema): Validator => {
  const run = (check: ValidateFunction, value: unknown): boolean => {
    onRun?.();
    return withHarnessErrors(() => check(value), "too-deep");
  };
  return {
    check: (value) => run(firstError(), value),
    errors: (value) => {
      if (run(firstError(), value)) {
        return [];
      }
      const isFirstOnly = hasMoreValuesThan(value, maxValuesForAllErrors);
      const check = isFirstOnly ? firstError() : allErrors();
      run(check, value);
      return toSchemaErrors(check.errors ?? [], isFirstOnly);
    },
    doubts: (value) => (strict === undefined || run(strict(), value) ? [] : listDoubts()),
  };
};

/** Runs `work` and converts any error to a `HarnessError`. Uses `whenTooDeep` if the stack is exhausted. */
export const withHarnessErrors = <T>(
  work: () => T,
  whenTooDeep: "too-deep" | "cannot-compile" = "cannot-compile",
): T => {
  try {
    return work();
  } catch (cause) {
    if (isHarnessError(cause)) {
      throw cause;
    }
    if (cause instanceof RangeError) {
      throw new HarnessError(whenTooDeep, "a schema or a value nests too deeply, or a schema refers to itself", {
        cause,
      });
    }
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new HarnessError(
      "cannot-compile",
      `a schema of the OpenAPI document cannot be compiled: ${reason.slice(0, 300)}`,
      {
        cause,
      },
    );
  }
};
