import type { AnswerKind } from "@assay/reading";
import type { LoadOutcome } from "@assay/results";

/** What is known of a response besides its body. */
export interface AnswerHead {
  readonly kind: AnswerKind;
  /** 0 where nothing came back. */
  readonly status: number;
  readonly isTimeout: boolean;
}

const outcomes: Readonly<Record<AnswerKind, LoadOutcome>> = {
  events: "ok",
  json: "ok",
  empty: "ok",
  "other-content": "ok",
  // A page of a login or of a proxy is no response of the API, and breaks none of its rules.
  "web-page": "bad-status",
  redirect: "bad-status",
  interim: "bad-status",
  unauthorized: "refused",
  "proxy-sign-in": "bad-status",
  missing: "bad-status",
  "client-error": "bad-status",
  "rate-limited": "distress",
  unavailable: "distress",
  "not-implemented": "bad-status",
  "gateway-error": "bad-status",
  "server-error": "bad-status",
  nothing: "transport",
};

/** How a request ended; any status from 200 to 299 is fine. */
export const callOutcome = ({ kind, isTimeout }: AnswerHead): LoadOutcome =>
  kind === "nothing" && isTimeout ? "timeout" : outcomes[kind];
