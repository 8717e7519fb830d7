/** Formats a value of the target as a string of at most 80 characters. Escape it before showing it. */
export function formatValue(value: unknown): string {
  const text = typeof value === "object" && value !== null ? "an object" : String(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
