import { inReadingOrder } from "./reading-order.ts";
import { type RunTimelines, RunTimelinesShape } from "./run-timelines.ts";

const list = (values: readonly unknown[]): string =>
  values.length === 0 ? "[]" : `[\n${values.map((value) => `    ${JSON.stringify(value)}`).join(",\n")}\n  ]`;

/**
 * The bytes of `timelines.json`: one line for each stream, conversation, diagram and exchange, members in a fixed order, one line feed at
 * the end. Equal values give equal bytes.
 */
export function stringifyTimelines(timelines: RunTimelines): string {
  const members = Object.entries(Object(inReadingOrder(RunTimelinesShape, timelines)));
  const lines = members.map(
    ([name, value]) => `  "${name}": ${Array.isArray(value) ? list(value) : JSON.stringify(value)}`,
  );
  return `{\n${lines.join(",\n")}\n}\n`;
}
