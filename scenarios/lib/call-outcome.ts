import type { AnswerKind } from "@assay/reading";
import type { LoadOutcome } from "@assay/results";

/** A response without its body. */
export interface AnswerHead {
  readonly kind: AnswerKind;
  /** 0 if there is no response. */
  readonly status: number;
  readonly isTimeout: boolean;
}

const outcomesByKind: Readonly<Record<AnswerKind, LoadOutcome>> = {
  events: "ok",
  json: "ok",
  empty: "ok",
  "other-content": "ok",
  // A login page or the page of a proxy is not from the API and violates no rule.
  "web-page": "bad-status",
  redirect: "bad-status",
  informational: "bad-status",
  unauthorized: "refused",
  "proxy-auth": "bad-status",
  "not-found": "bad-status",
  "client-error": "bad-status",
  "rate-limited": "distress",
  unavailable: "distress",
  "not-implemented": "bad-status",
  "gateway-error": "bad-status",
  "server-error": "bad-status",
  "no-response": "transport",
};

/** Returns the outcome of a request. Any status from 200 to 299 is `ok`. */
export const callOutcome = ({ kind, isTimeout }: AnswerHead): LoadOutcome =>
  kind === "no-response" && isTimeout ? "timeout" : outcomesByKind[kind];
