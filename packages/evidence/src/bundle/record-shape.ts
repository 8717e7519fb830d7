import type { BodyRecord, ExchangeRecord } from "../exchange.ts";
import { recordChecker } from "./record-checkers.ts";

/** Parses JSON. Returns undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reports whether interface and operation match. */
function isOperation({ interface: name, operation }: ExchangeRecord): boolean {
  if (name === "stream" || name === "reference") {
    return operation === (name === "stream" ? "search" : "describe");
  }
  return operation !== "search" && operation !== "describe";
}

const hasMatchingLength = ({ chunks, bytes }: BodyRecord): boolean =>
  chunks.reduce((sum, [length]) => sum + length, 0) === bytes;

/** Reports whether a parsed line is an exchange: digests are safe as file names, and chunk lengths add up. */
export const isExchangeRecord = (value: unknown): value is ExchangeRecord =>
  recordChecker.fits(value) &&
  isOperation(value) &&
  (value.response === undefined || hasMatchingLength(value.response.body));

/** Reports whether a record claims a complete response but has no head. */
export const lacksResponse = ({ end, response }: ExchangeRecord): boolean =>
  end.kind === "complete" && response === undefined;
