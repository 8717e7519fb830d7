import { sortMembers } from "./reading-order.ts";
import { printableJson } from "./printable-json.ts";
import { type RunResult, RunResultShape } from "./run-result.ts";

/**
 * Formats the content of `verdicts.json`: indented by two spaces, members in a fixed order, one line feed at the end. Equal values give equal
 * bytes. Escapes lone surrogates, and commands of terminals and build systems.
 */
export const stringifyRunResult = (result: RunResult): string =>
  `${printableJson(JSON.stringify(sortMembers(RunResultShape, result), undefined, 2))}\n`;
