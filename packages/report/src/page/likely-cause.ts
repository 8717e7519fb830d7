import type { RuleId } from "@assay/contract";

const buffering = "A proxy or gateway that buffers the response or cuts it off.";

/** What most often makes a rule fail that a healthy server keeps, where that is known. `assay doctor` looks for each of them. */
const causes: Partial<Record<RuleId, string>> = {
  "stream/lines-end-with-lf": "A gateway that rewrites line endings.",
  "stream/one-blank-line-between-events": "A gateway that rewrites the stream.",
  "stream/last-event-is-complete": "A proxy with a timeout or a size limit that cuts the stream off.",
  "stream/no-byte-order-mark": "A gateway that re-encodes the response.",
  "stream/text-is-utf-8": "A gateway that re-encodes the response.",
  "stream/done-is-last": "A proxy with a timeout or a size limit that cuts the stream off.",
  "stream/answer-is-a-stream": "A login page or an error page of a gateway in place of the API.",
  "stream/response-ends-after-done": "A proxy that keeps the connection open.",
  "stream/results-arrive-incrementally": buffering,
  "stream/missing-token-is-refused": "Anonymous access is allowed: check the access settings of the instance.",
  "legacy/responses-fit-openapi": "A version of the API that its OpenAPI document does not describe.",
  "current/responses-fit-openapi": "A version of the API that its OpenAPI document does not describe.",
};

const isCaused = (rule: string): rule is keyof typeof causes => Object.hasOwn(causes, rule);

const comments = "A proxy that sends comments to keep the connection open.";

/** The likely causes of all findings of a rule. */
export const likelyCausesOf = (rule: string): readonly string[] =>
  rule === "stream/two-fields" ? [comments] : isCaused(rule) ? [causes[rule] ?? ""] : [];

/** The likely cause of a finding, one sentence; undefined where none is known. */
export const likelyCause = (rule: string, code: string | undefined): string | undefined => {
  if (rule === "stream/two-fields" && code === "comment") {
    return comments;
  }
  return isCaused(rule) ? causes[rule] : undefined;
};
