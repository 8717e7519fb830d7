import { sortMembers } from "./reading-order.ts";
import { type RunTimelines, RunTimelinesShape } from "./run-timelines.ts";

const formatLines = (values: readonly unknown[]): string =>
  values.length === 0 ? "[]" : `[\n${values.map((value) => `    ${JSON.stringify(value)}`).join(",\n")}\n  ]`;

/**
 * Formats the content of `timelines.json`: one line for each stream, conversation, diagram and exchange, members in a fixed order, one line
 * feed at the end. Equal values give equal bytes.
 */
export function stringifyTimelines(timelines: RunTimelines): string {
  const members = Object.entries(Object(sortMembers(RunTimelinesShape, timelines)));
  const lines = members.map(
    ([name, value]) => `  "${name}": ${Array.isArray(value) ? formatLines(value) : JSON.stringify(value)}`,
  );
  return `{\n${lines.join(",\n")}\n}\n`;
}
