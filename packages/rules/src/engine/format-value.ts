/** Formats a value sent by the target as at most 80 characters. Escape the result before showing it. */
export function formatValue(value: unknown): string {
  const text = typeof value === "object" && value !== null ? "an object" : String(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
