import { readFileSync } from "node:fs";
import { defined } from "@assay/contract";
import { recordDraft } from "@assay/evidence";
import type { CredentialKind, ExchangeDraft, FailureCode, HeaderField, RecordedExchange } from "@assay/evidence";

/** An exchange; everything has a default. */
export interface ExchangeSketch {
  readonly id?: string;
  readonly probe?: string;
  readonly retryOf?: string;
  readonly url?: string;
  readonly credential?: CredentialKind;
  /** 0 for no response. */
  readonly status?: number;
  readonly headers?: readonly HeaderField[];
  /** The body, or its chunks. */
  readonly body?: string | Uint8Array | readonly Uint8Array[];
  readonly failure?: { readonly code: FailureCode; readonly message: string };
}

const chunksOf = (body: NonNullable<ExchangeSketch["body"]>): readonly Uint8Array[] =>
  typeof body === "string" || body instanceof Uint8Array ? [Buffer.from(body)] : body;

/** An exchange that is still in memory. */
export function draftOf({
  id = "0001",
  probe = "search",
  retryOf,
  url = "http://code.example/.api/search/stream?q=test",
  credential = "access-token",
  status = 200,
  headers = [["content-type", "text/event-stream"]],
  body = "",
  failure,
}: ExchangeSketch): ExchangeDraft {
  const chunks = chunksOf(body).map((bytes, index) => ({ bytes, atMicros: 2000 + index }));
  return {
    id,
    probe,
    ...defined({ retryOf }),
    interface: "stream",
    operation: "search",
    credential,
    request: { method: "GET", url, headers: [["accept", "text/event-stream"]] },
    ...(status === 0 ? {} : { response: { status, headers, chunks } }),
    end: failure === undefined ? { kind: "complete" } : { kind: "failed", ...failure },
    times: { sentAtMicros: 1000, endedAtMicros: 9000 },
  };
}

/** A recorded exchange. */
export const recorded = (sketch: ExchangeSketch): RecordedExchange => recordDraft(draftOf(sketch));

/** An exchange with a deleted body. */
export const unreadable = (sketch: ExchangeSketch, why: string): RecordedExchange => ({
  record: recorded(sketch).record,
  unreadable: why,
  chunks() {
    throw new Error("this body must not be read");
  },
});

const fixtures = new URL("../../../stream-grammar/fixtures/streams/", import.meta.url);

/** The bytes of a committed stream. */
export const fixture = (name: string): Buffer => readFileSync(new URL(name, fixtures));

/** A conforming stream with matches. */
export const goodStream = fixture("conforms.content-and-path-matches.sse");

/** The page that a proxy sends instead of a stream. */
export const webPage = "<!doctype html>\n<title>Sign in</title>\n<p>Who are you?</p>\n";
