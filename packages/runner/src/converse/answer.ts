import { Buffer } from "node:buffer";
import { bodyBeginning, callGroup, classifyAnswer, readBody } from "@assay/reading";
import type { CallGroup } from "@assay/reading";
import type { ExchangeDraft } from "@assay/evidence";

/** The parts of a response that a run needs. */
export interface Answer {
  readonly draft: ExchangeDraft;
  /** `broken`: it did not end as HTTP requires. */
  readonly kind: Exclude<CallGroup, "no-response"> | "broken";
  /** 0 if there was no response. */
  readonly status: number;
  /** Undefined if the body is not JSON or exceeds the limits of `readBody`. */
  readonly json: unknown;
}

function parseBody({ response, end }: ExchangeDraft): unknown {
  if (end.kind === "failed") {
    return undefined;
  }
  const reading = readBody(Buffer.concat((response?.chunks ?? []).map(({ bytes }) => bytes)));
  return reading.kind === "text" ? reading.json : undefined;
}

function classifyDraft({ response, end }: ExchangeDraft): Answer["kind"] {
  const { status, headers = [], chunks = [] } = response ?? {};
  const group = callGroup(classifyAnswer(status, headers, bodyBeginning(chunks)));
  return end.kind === "failed" || group === "no-response" ? "broken" : group;
}

/** Reads an answer. Never throws. */
export const readAnswer = (draft: ExchangeDraft): Answer => ({
  draft,
  kind: classifyDraft(draft),
  status: draft.response?.status ?? 0,
  json: parseBody(draft),
});
