/** A member of an object of unknown shape. */
const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;

/** Without colours and codes, the first line alone: a drawing of the source may follow. */
function clause(message: string): string {
  // oxlint-disable-next-line no-control-regex -- The escape character is what begins a colour.
  const [line = ""] = message.replaceAll(/\u001B\[[\d;]*m/gu, "").split("\n");
  return line.replace(/^(?:Error: )?(?:\[[A-Z_]+\] )?/u, "").trim();
}

/** What a bundler's failure says, as one clause: what is wrong, and where when it is known. Never fails. */
export function bundleProblem(cause: unknown): string {
  const errors = memberOf(cause, "errors");
  const first: unknown = Array.isArray(errors) && errors.length > 0 ? errors[0] : cause;
  const message = memberOf(first, "message");
  const place = memberOf(first, "loc");
  const [line, column] = [memberOf(place, "line"), memberOf(place, "column")];
  const where = typeof line === "number" && typeof column === "number" ? ` (line ${line}, column ${column + 1})` : "";
  return `${clause(typeof message === "string" ? message : String(first)) || "no reason was given"}${where}`;
}
