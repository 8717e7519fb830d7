/** Milliseconds from a `Retry-After` header; -1 without a valid one. `nowMs` is the wall clock. */
export function parseRetryAfter(value: string | undefined, nowMs: number): number {
  const asked = (value ?? "").trim();
  if (/^\d{1,9}$/u.test(asked)) {
    return Number(asked) * 1000;
  }
  const at = asked === "" ? Number.NaN : Date.parse(asked);
  return Number.isNaN(at) ? -1 : Math.max(0, at - nowMs);
}
