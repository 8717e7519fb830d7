/** Returns the milliseconds of a `Retry-After` header, or -1 if it is missing or invalid. `nowMs` is the wall-clock time. */
export function retryAfterMs(value: string | undefined, nowMs: number): number {
  const trimmed = (value ?? "").trim();
  if (/^\d{1,9}$/u.test(trimmed)) {
    return Number(trimmed) * 1000;
  }
  const retryMs = trimmed === "" ? Number.NaN : Date.parse(trimmed);
  return Number.isNaN(retryMs) ? -1 : Math.max(0, retryMs - nowMs);
}
