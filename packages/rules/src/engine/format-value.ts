/** A value of the target as text of at most 80 characters; escape before showing. */
export function formatValue(value: unknown): string {
  const text = typeof value === "object" && value !== null ? "an object" : String(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
