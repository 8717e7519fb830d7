import type { Validator } from "@assay/openapi";
import { codeOfSchemaError } from "../../engine/schema-error-code.ts";
import type { Reporter } from "../../engine/reporter.ts";

/** An object that a schema is about. */
export interface Fitting {
  /** What it is, to begin a sentence with. */
  readonly what: string;
  readonly value: unknown;
  /** JSON pointer from the body of the answer. */
  readonly pointer: string;
  /** Members whose types other rules speak of. */
  readonly not?: readonly string[];
  /** Whether members of its own may be left out [no]. */
  readonly mayLack?: boolean;
}

/** Counts an object and reports where it does not fit its schema. */
export function reportMisfits(
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
        message: `${what}${placeOf(error.pointer)} ${error.message}`,
        ...kind,
        pointer: pointer + error.pointer,
      });
    }
  }
}

const placeOf = (pointer: string): string => (pointer === "" ? "" : `, at \`${pointer.slice(0, 80)}\`,`);
