import { HarnessError } from "@assay/contract";
import standaloneCode from "ajv/dist/standalone/index.js";
import type { TSchema } from "typebox";
import { compileShape } from "./checker.ts";

/**
 * Generates the check that ajv compiles for a shape with unknown members, as the body of a function with the parameter `module`, whose
 * `exports` it sets. Throws a `HarnessError` if the check needs more than its own code.
 */
export function generateCheck(shape: TSchema): string {
  const { ajv, validate } = compileShape(shape, { allowsUnknownMembers: true }, { source: true });
  const code = standaloneCode.default(ajv, validate);
  if (code.includes("require(")) {
    throw new HarnessError("cannot-compile", "the check of a stored shape cannot be generated");
  }
  return code;
}
