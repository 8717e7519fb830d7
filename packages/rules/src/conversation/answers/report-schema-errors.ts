import type { Validator } from "@assay/openapi";
import { codeOfSchemaError } from "../../engine/schema-error-code.ts";
import type { Reporter } from "../../engine/reporter.ts";

/** An object to check against a schema. */
export interface Fitting {
  /** Name of the object, as the start of a sentence. */
  readonly what: string;
  readonly value: unknown;
  /** JSON pointer from the root of the response body. */
  readonly pointer: string;
  /** Members whose types other rules check. */
  readonly not?: readonly string[];
  /** Whether its members may be left out [no]. */
  readonly mayLack?: boolean;
}

/** Counts an object as an observation and reports its schema errors. */
export function reportSchemaErrors(
  schema: Validator,
  { what, value, pointer, not = [], mayLack = false }: Fitting,
  report: Reporter,
): void {
  report.observation();
  if (schema.check(value)) {
    return;
  }
  for (const error of schema.errors(value)) {
    const kind = codeOfSchemaError(error);
    const isLeftOut = mayLack && error.pointer === "" && kind.code === "required";
    if (!not.includes(error.pointer) && !isLeftOut) {
      report.violation({
        message: `${what}${placeClause(error.pointer)} ${error.message}`,
        ...kind,
        pointer: pointer + error.pointer,
      });
    }
  }
}

const placeClause = (pointer: string): string => (pointer === "" ? "" : `, at \`${pointer.slice(0, 80)}\`,`);
