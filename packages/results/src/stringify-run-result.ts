import { inReadingOrder } from "./reading-order.ts";
import { printableJson } from "./printable-json.ts";
import { type RunResult, RunResultShape } from "./run-result.ts";

/**
 * The bytes of `verdicts.json`: indented by two spaces, members in a fixed order, one line feed at the end. Equal values give equal bytes.
 * Lone surrogates, and commands of terminals and build systems, are escaped.
 */
export const stringifyRunResult = (result: RunResult): string =>
  `${printableJson(JSON.stringify(inReadingOrder(RunResultShape, result), undefined, 2))}\n`;
