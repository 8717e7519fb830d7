import type { ExchangeDraft } from "@assay/evidence";
import { createStreamChecker } from "@assay/stream-grammar";
import type { GrammarFinding, StreamEvent } from "@assay/stream-grammar";
import { defined } from "@assay/contract";
import { member } from "@assay/reading";

/** A progress event: the duration that the target reports, and the time of arrival. */
export interface ProgressFact {
  /** Time since the search began, by the clock of the target. */
  readonly durationMs: number;
  readonly atMicros: number;
  readonly done: boolean;
}

/** Facts about one stream. */
export interface StreamFacts {
  readonly events: number;
  readonly bytes: number;
  readonly firstByteAtMicros?: number;
  readonly lastByteAtMicros?: number;
  readonly firstMatchAtMicros?: number;
  /** At most 10,000 events, in order of arrival. */
  readonly progress: readonly ProgressFact[];
  /** Whether `done` arrived completely. */
  readonly hasDone: boolean;
  readonly doneAtMicros?: number;
  /** Violations of the event format. */
  readonly violations: readonly Extract<GrammarFinding, { kind: "violation" }>[];
  /** Whether the last bytes end an event. */
  readonly endsWithCompleteEvent: boolean;
}

const maxEntries = 10_000;
/** Longer than any search. Longer durations are errors of the target and are ignored. */
const maxDurationMs = 24 * 60 * 60 * 1000;

function readProgress({ atMicros, name, value }: StreamEvent): readonly ProgressFact[] {
  const durationMs = member(value, "durationMs");
  return name === "progress" && typeof durationMs === "number" && durationMs >= 0 && durationMs <= maxDurationMs
    ? [{ durationMs, atMicros, done: member(value, "done") === true }]
    : [];
}

const hasMatches = ({ name, value }: StreamEvent): boolean =>
  name === "matches" && Array.isArray(value) && value.length > 0;

/** Reads the facts of a complete or incomplete stream. */
export function readStreamFacts({ end, response }: Pick<ExchangeDraft, "end" | "response">): StreamFacts {
  const progress: ProgressFact[] = [];
  const violations: Extract<GrammarFinding, { kind: "violation" }>[] = [];
  let events = 0;
  let firstMatchAtMicros: number | undefined;
  let doneAtMicros: number | undefined;
  const checker = createStreamChecker({
    onEvent(event) {
      events += 1;
      doneAtMicros ??= event.name === "done" ? event.atMicros : undefined;
      progress.push(...(progress.length < maxEntries ? readProgress(event) : []));
      if (firstMatchAtMicros === undefined && hasMatches(event)) {
        firstMatchAtMicros = event.atMicros;
      }
    },
    onFinding(finding) {
      if (finding.kind === "violation" && violations.length < maxEntries) {
        violations.push(finding);
      }
    },
  });
  const chunks = (response?.chunks ?? []).filter(({ bytes }) => bytes.length > 0);
  for (const { bytes, atMicros } of chunks) {
    checker.push(bytes, atMicros);
  }
  if (end.kind === "complete") {
    checker.end();
  }
  const first = chunks[0];
  const last = chunks.at(-1);
  const lastBytes = chunks.slice(-2).flatMap(({ bytes }) => [...bytes.subarray(-2)]);
  return {
    events,
    bytes: chunks.reduce((sum, { bytes }) => sum + bytes.length, 0),
    ...(first === undefined ? {} : { firstByteAtMicros: first.atMicros }),
    ...(last === undefined ? {} : { lastByteAtMicros: last.atMicros }),
    ...defined({ firstMatchAtMicros }),
    progress,
    hasDone: checker.isDone,
    ...defined({ doneAtMicros }),
    violations,
    endsWithCompleteEvent: lastBytes.at(-1) === 10 && lastBytes.at(-2) === 10,
  };
}
