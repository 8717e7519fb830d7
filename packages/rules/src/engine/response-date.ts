import { parseInstant } from "@assay/state-machine";
import type { ExchangeRecord } from "@assay/evidence";
import { headerOf } from "./header-of.ts";

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const;

const datePattern = /^[A-Z][a-z]{2}, (\d\d) ([A-Z][a-z]{2}) (\d{4}) (\d\d:\d\d:\d\d) GMT$/u;

/**
 * Returns the last `Date` header of a response in Unix microseconds, with a resolution of one second. It returns NaN if
 * it is missing or malformed, or if it is before 2000, which means that the clock was never set. Source: RFC 9110,
 * section 6.6.1.
 */
export function responseDateMicros({ response }: Pick<ExchangeRecord, "response">): number {
  const text = headerOf(response?.headers ?? [], "date") ?? "";
  const [, day = "", monthName = "", year = "", time = ""] = datePattern.exec(text) ?? [];
  const month = months.findIndex((name) => name === monthName) + 1;
  return year < "2000" ? Number.NaN : parseInstant(`${year}-${String(month).padStart(2, "0")}-${day}T${time}Z`).micros;
}
