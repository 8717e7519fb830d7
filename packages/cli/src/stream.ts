// The module `assay/stream`: the stream checker used by all commands.
import type { Chunk } from "@assay/evidence";
import type { RuleVerdict } from "@assay/results";
import { createExchangeFromBytes, findProfile, selectRules } from "@assay/runner";
import { createStreamChecker, type StreamEvent } from "@assay/stream-grammar";
import { judgeRecording } from "./check/judge-recording.ts";

export { createStreamChecker } from "@assay/stream-grammar";
export type {
  GrammarFinding,
  StreamChecker,
  StreamCheckerOptions,
  StreamEvent,
  StreamLimits,
} from "@assay/stream-grammar";

/** The bytes of one stream: an unread response, or its complete body, or its chunks. */
export type StreamSource = Response | string | Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** A violation of the contract in a stream. */
export interface StreamViolation {
  /** Rule id, such as `stream/done-is-last`. */
  readonly rule: string;
  /** The requirement of the rule, as one sentence. */
  readonly title: string;
  /** The finding, as one sentence with unprintable characters escaped. */
  readonly message: string;
  /** Index of the event in the stream, from 0. */
  readonly event?: number;
  /** Offset of the first offending byte, from 0. */
  readonly offset?: number;
}

/** The result of checking a stream. */
export interface StreamCheck {
  /** `incomplete` if there is no stream to judge, for example if the body is an error page of a proxy. */
  readonly outcome: "conforms" | "violates" | "incomplete";
  /** One line for people. */
  readonly summary: string;
  readonly violations: readonly StreamViolation[];
  /** Ids of the rules that passed, each confirmed with an altered copy of this stream. */
  readonly held: readonly string[];
  /** The events in order of arrival. */
  readonly events: readonly StreamEvent[];
}

/** Maximum number of bytes to read from one stream. */
const maxBytes = 256 * 1024 * 1024;

const isResponse = (source: StreamSource): source is Response => source instanceof Response;

async function* readChunks(source: StreamSource): AsyncGenerator<Uint8Array> {
  if (typeof source === "string") {
    yield new TextEncoder().encode(source);
  } else if (source instanceof Uint8Array) {
    yield source;
  } else if (!isResponse(source)) {
    yield* source;
  } else if (source.body !== null) {
    yield* source.body;
  }
}

/** The chunks of a stream, and why it broke off, if it did. */
interface SourceContent {
  readonly chunks: readonly Chunk[];
  readonly byteCount: number;
  readonly breakReason?: string;
}

async function readSource(source: StreamSource): Promise<SourceContent> {
  const chunks: Chunk[] = [];
  let byteCount = 0;
  try {
    for await (const chunk of readChunks(source)) {
      byteCount += chunk.length;
      if (byteCount > maxBytes) {
        return { chunks, byteCount, breakReason: `it exceeds ${maxBytes} bytes` };
      }
      // Copied, because the source may reuse the memory of a chunk.
      chunks.push({ bytes: chunk.slice(), atMicros: 0 });
    }
    return { chunks, byteCount };
  } catch (error) {
    return { chunks, byteCount, breakReason: error instanceof Error ? error.message : String(error) };
  }
}

function collectEvents(chunks: readonly Chunk[]): readonly StreamEvent[] {
  const events: StreamEvent[] = [];
  const checker = createStreamChecker({ onEvent: (event) => void events.push(event), onFinding: () => undefined });
  for (const { bytes, atMicros } of chunks) {
    checker.push(bytes, atMicros);
  }
  checker.end();
  return events;
}

const readResponseHead = (source: StreamSource) =>
  isResponse(source) ? { head: { status: source.status, headers: [...source.headers] } } : {};

const listViolations = ({ rule, title, verdict }: RuleVerdict): readonly StreamViolation[] =>
  verdict.outcome === "failed"
    ? verdict.findings.map(({ message, event, offset }) => ({
        rule,
        title,
        message,
        ...(event === undefined ? {} : { event }),
        ...(offset === undefined ? {} : { offset }),
      }))
    : [];

/**
 * Reads one stream to its end and checks it against every rule for a single stream. Also checks the status and content type of a response.
 * Never rejects: an unreadable stream is `incomplete`. Source: search-stream, sections 4 to 6.
 */
export async function checkStream(source: StreamSource): Promise<StreamCheck> {
  const { breakReason, byteCount, chunks } = await readSource(source);
  if (breakReason !== undefined) {
    const summary = `the stream broke off after ${byteCount} bytes: ${breakReason}`;
    return { outcome: "incomplete", summary, violations: [], held: [], events: collectEvents(chunks) };
  }
  const exchange = createExchangeFromBytes({ bytes: byteCount, chunks: () => chunks, ...readResponseHead(source) });
  const { rules } = selectRules(findProfile("gate"), undefined);
  const result = await judgeRecording(
    { kind: "stream", exchanges: [exchange] },
    {
      file: "the response",
      settings: { rules, mustTest: [], strict: false, access: "undeclared" },
      judgeOptions: { confirmsPasses: true },
    },
  );
  const violations = result.verdicts.flatMap(listViolations);
  const [reason] = result.incomplete;
  return {
    outcome: violations.length > 0 ? "violates" : reason === undefined ? "conforms" : "incomplete",
    summary: violations.length === 0 && reason !== undefined ? reason.message : result.summary,
    violations,
    held: result.verdicts.filter(({ verdict }) => verdict.outcome === "passed").map(({ rule }) => rule),
    events: collectEvents(chunks),
  };
}
