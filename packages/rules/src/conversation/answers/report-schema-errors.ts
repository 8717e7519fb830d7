import type { Validator } from "@assay/openapi";
import { schemaErrorCode } from "../../engine/schema-error-code.ts";
import type { Reporter } from "../../engine/reporter.ts";

/** An object to check against a schema. */
export interface SchemaSubject {
  /** Name of the object, for use at the start of a sentence. */
  readonly label: string;
  readonly value: unknown;
  /** JSON pointer from the root of the response body. */
  readonly pointer: string;
  /** JSON pointers, from the value, of members that other rules check. */
  readonly ignoredPointers?: readonly string[];
  /** Whether required members may be missing. Default: no. */
  readonly mayLackMembers?: boolean;
}

/** Records an observation for an object and reports its schema errors. */
export function reportSchemaErrors(
  schema: Validator,
  { label, value, pointer, ignoredPointers = [], mayLackMembers = false }: SchemaSubject,
  report: Reporter,
): void {
  report.observation();
  if (schema.check(value)) {
    return;
  }
  for (const error of schema.errors(value)) {
    const kind = schemaErrorCode(error);
    const isAllowedToBeMissing = mayLackMembers && error.pointer === "" && kind.code === "required";
    if (!ignoredPointers.includes(error.pointer) && !isAllowedToBeMissing) {
      report.violation({
        message: `${label}${describePosition(error.pointer)} ${error.message}`,
        ...kind,
        pointer: pointer + error.pointer,
      });
    }
  }
}

const describePosition = (pointer: string): string => (pointer === "" ? "" : `, at \`${pointer.slice(0, 80)}\`,`);
