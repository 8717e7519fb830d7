import type { RefinedResponse, ResponseType } from "k6/http";
import { beginningLength, classifyAnswer } from "@assay/reading";
import type { AnswerHead } from "./call-outcome.ts";
import { retryAfterMs } from "./retry-after.ts";

/** k6's error code for a request timeout. */
const timeoutCode = 1050;

/** Returns the value of a header. `name` is in lower case. */
export const headerOf = (headers: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];

/** Returns a k6 response without its body. */
export function headOf(response: RefinedResponse<ResponseType>): AnswerHead & { readonly retryAfterMs: number } {
  const beginning = typeof response.body === "string" ? response.body.slice(0, beginningLength) : "";
  return {
    kind: classifyAnswer(response.status, Object.entries(response.headers), beginning),
    status: response.status,
    isTimeout: response.error_code === timeoutCode,
    retryAfterMs: retryAfterMs(headerOf(response.headers, "retry-after"), Date.now()),
  };
}
