import { Buffer } from "node:buffer";
import { parseExactly } from "@assay/reading";
import type { ExchangeDraft } from "@assay/evidence";
import { nestsTooDeep } from "@assay/stream-grammar";

/** What came back, as far as driving has to understand it. */
export interface Answer {
  readonly draft: ExchangeDraft;
  /** `distress`: 429 or 5xx. `elsewhere`: neither success nor refusal. `broken`: it did not end as HTTP says. */
  readonly kind: "success" | "refused" | "distress" | "elsewhere" | "broken";
  /** 0 where there is no response. */
  readonly status: number;
  /** Undefined for what is no JSON, too, for more than 16 MiB, and for what nests too deep to be read. */
  readonly json: unknown;
}

const maxParsedBytes = 16 * 1024 * 1024;

function jsonOf({ response, end }: ExchangeDraft): unknown {
  const chunks = response?.chunks ?? [];
  if (end.kind === "failed" || chunks.reduce((sum, { bytes }) => sum + bytes.length, 0) > maxParsedBytes) {
    return undefined;
  }
  const buffer = Buffer.concat(chunks.map(({ bytes }) => bytes));
  if (nestsTooDeep({ buffer, start: 0, end: buffer.length })) {
    return undefined;
  }
  try {
    return parseExactly(buffer.toString("utf8"));
  } catch {
    // Anything may come; what is no JSON is for the rules to judge.
    return undefined;
  }
}

function kindOf({ response, end }: ExchangeDraft): Answer["kind"] {
  const status = response?.status ?? 0;
  if (end.kind === "failed") {
    return "broken";
  }
  if (status === 429 || status >= 500) {
    return "distress";
  }
  return status >= 400 ? "refused" : status >= 200 && status < 300 ? "success" : "elsewhere";
}

/** Reads what came back. Never fails. */
export const answerOf = (draft: ExchangeDraft): Answer => ({
  draft,
  kind: kindOf(draft),
  status: draft.response?.status ?? 0,
  json: jsonOf(draft),
});
