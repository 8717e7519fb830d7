/** A JSON object as received: any key may be missing or hold anything. Read keys with `Object.hasOwn` semantics only. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** Whether a JSON value is an object (no array, not null). */
export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The member if the object has one of its own, so that `toString` or `__proto__` never answer for the target. */
export const member = (value: unknown, key: string): unknown =>
  isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;

/** A value of the target as text of at most 80 characters; escape before showing. */
export function shownValue(value: unknown): string {
  const text = typeof value === "object" && value !== null ? "an object" : String(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
