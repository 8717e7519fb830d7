import { Buffer } from "node:buffer";
import type { ExchangeDraft, HeaderField } from "@assay/evidence";
import type { DoctorEvidence } from "../doctor-evidence.ts";
import { doctorProbes } from "../doctor-evidence.ts";

/** Wall clock at time 0 of the exchanges. */
export const startedAtMs = Date.parse("2026-05-04T12:00:00Z");

/** One exchange; times are milliseconds since the clock started. */
export interface SeenExchange {
  readonly probe?: keyof typeof doctorProbes;
  readonly credential?: ExchangeDraft["credential"];
  readonly status?: number;
  readonly headers?: readonly HeaderField[];
  /** Text and its arrival. */
  readonly chunks?: readonly (readonly [text: string, atMs: number])[];
  readonly end?: ExchangeDraft["end"];
  readonly sentAtMs?: number;
  readonly headersAtMs?: number;
  readonly endedAtMs?: number;
  readonly accepts?: "identity" | "gzip";
  readonly url?: string;
  /** Whether there was no response head. */
  readonly isUnanswered?: boolean;
  readonly interface?: ExchangeDraft["interface"];
}

/** The bytes of an event. */
export const event = (name: string, data: unknown): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/** A stream without anything unusual. */
export const plainStream = event("progress", { done: true, durationMs: 3 }) + event("done", {});

function answerOf(seen: SeenExchange): Pick<ExchangeDraft, "response" | "times"> {
  const { headers = [["content-type", "text/event-stream"]], sentAtMs = 0, status = 200 } = seen;
  const { headersAtMs = sentAtMs + 10 } = seen;
  const { chunks = [[plainStream, headersAtMs]], endedAtMs = headersAtMs + 10 } = seen;
  return {
    response: {
      status,
      headers,
      chunks: chunks.map(([text, atMs]) => ({ bytes: Buffer.from(text), atMicros: atMs * 1000 })),
    },
    times: {
      sentAtMicros: sentAtMs * 1000,
      connectedAtMicros: sentAtMs * 1000,
      headersAtMicros: headersAtMs * 1000,
      endedAtMicros: endedAtMs * 1000,
    },
  };
}

const usualUrl = "https://search.example.com/.api/search/stream?q=test";

const requestOf = ({ accepts, url = usualUrl }: SeenExchange): ExchangeDraft["request"] => ({
  method: "GET",
  url,
  headers: accepts === undefined ? [] : [["accept-encoding", accepts]],
});

/** An exchange of a doctor; by default a search with the main token and a short stream as its answer. */
export function seenExchange(seen: SeenExchange, id: string): ExchangeDraft {
  const {
    credential = "access-token",
    end = { kind: "complete" },
    interface: name = "stream",
    probe = "search",
  } = seen;
  const { times, ...answer } = answerOf(seen);
  return {
    ...(seen.isUnanswered === true ? {} : answer),
    times,
    id,
    probe: doctorProbes[probe],
    interface: name,
    operation: name === "stream" ? "search" : "list",
    credential,
    request: requestOf(seen),
    end,
  };
}

/** Evidence of a doctor with these exchanges. */
export const seenEvidence = (
  exchanges: readonly SeenExchange[],
  others: Partial<DoctorEvidence> = {},
): DoctorEvidence => ({
  target: "https://search.example.com",
  access: "undeclared",
  sharing: "undeclared",
  configuredCredentials: ["access-token"],
  mainCredential: "access-token",
  extraHeaders: [],
  query: "test",
  clockStartedAtMs: startedAtMs,
  maxStreamMs: 20_000,
  addresses: { kind: "not-checked" },
  certificate: { kind: "not-checked", reason: "proxy" },
  exchanges: exchanges.map((seen, index) => seenExchange(seen, String(index + 1).padStart(4, "0"))),
  ...others,
});
