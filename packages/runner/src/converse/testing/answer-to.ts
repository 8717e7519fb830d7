import { Buffer } from "node:buffer";
import type { ExchangeDraft, HeaderField } from "@assay/evidence";
import { type Answer, readAnswer } from "../answer.ts";

/** An answer; everything has a default. */
export interface AnswerSketch {
  /** 0 for none. */
  readonly status?: number;
  readonly headers?: readonly HeaderField[];
  /** JSON unless it is text or bytes. */
  readonly body?: unknown;
  readonly operation?: ExchangeDraft["operation"];
}

const bytesOf = (body: unknown): Uint8Array =>
  body instanceof Uint8Array ? body : Buffer.from(typeof body === "string" ? body : JSON.stringify(body));

/** An answer without a server. */
export function answerTo({ status = 200, headers = [], body = {}, operation = "get" }: AnswerSketch): Answer {
  return readAnswer({
    id: "0001",
    probe: "poll",
    interface: "current",
    operation,
    credential: "access-token",
    request: { method: "POST", url: "http://h/", headers: [] },
    ...(status === 0 ? {} : { response: { status, headers, chunks: [{ bytes: bytesOf(body), atMicros: 2 }] } }),
    end: status === 0 ? { kind: "failed", code: "reset", message: "reset" } : { kind: "complete" },
    times: { sentAtMicros: 1, endedAtMicros: 3 },
  });
}
