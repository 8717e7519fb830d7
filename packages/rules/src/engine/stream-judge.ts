import { grammarViolations } from "@assay/contract";
import type { GrammarViolationCode, RuleId } from "@assay/contract";
import type { ExchangeRecord } from "@assay/evidence";
import { createStreamChecker } from "@assay/stream-grammar";
import type { GrammarFinding, StreamEvent } from "@assay/stream-grammar";
import { countUnits, emptyUnits } from "./counted-units.ts";
import type { CountedUnits } from "./counted-units.ts";
import { FileIndex } from "./matches/file-index.ts";
import type { Match } from "./matches/match.ts";
import { createMatchReader } from "./matches/match-table.ts";
import { readMatches } from "./matches/read-matches.ts";
import type { Reporter } from "./reporter.ts";
import type { OutcomeBuilder } from "./rule-outcome.ts";
import type { ResultCollector, ResultFacts } from "./result-facts.ts";
import type { EventReader, FramingRule, Rule, StreamRule } from "./rule.ts";
import { addProgress, noProgress } from "./search-progress.ts";
import type { SearchProgress } from "./search-progress.ts";
import { countEvent, countMatch, emptyTally, toStreamFacts } from "./stream-facts.ts";
import type { StreamFacts, StreamTally } from "./stream-facts.ts";
import { addGaps, noGaps } from "./stream-gaps.ts";
import type { StreamGaps } from "./stream-gaps.ts";

/** Judges one stream while its bytes arrive. */
export interface StreamJudge {
  push(bytes: Uint8Array, atMicros: number): void;
  /**
   * Ends the stream. If it is not complete, rules about the end of a stream are not checked. No event is missing if the
   * server closed the connection after `done`, so that stream counts as complete.
   */
  finish(end: StreamEnd): StreamFacts;
}

/** How the body of a stream ended. `isComplete`: as HTTP requires. `missing` describes what cut the body short. */
export type StreamEnd =
  | { readonly isComplete: true }
  | { readonly isComplete: false; readonly missing: string; readonly isClosedByServer?: boolean };

/** The rules to judge, and where their results go. */
export interface StreamJudgeOptions {
  readonly rules: readonly Rule[];
  readonly builders: ReadonlyMap<RuleId, OutcomeBuilder>;
  /** Receives permitted choices of the format if the rule about them is not in `rules`. */
  readonly formatBuilder: OutcomeBuilder;
  readonly record: Pick<ExchangeRecord, "id" | "request" | "credential" | "eventsOnly">;
  /** Collects the results of the search. Without it none are kept. */
  readonly collector?: ResultCollector;
  /** Called with each event, before the rules. */
  readonly onEvent?: ((event: StreamEvent) => void) | undefined;
  readonly onFinish: (facts: StreamFacts, results?: ResultFacts) => void;
}

interface Subscriber {
  readonly read: EventReader;
  readonly report: Reporter;
}

interface MatchSubscriber {
  readonly read: (match: Match, report: Reporter) => void;
  readonly report: Reporter;
}

interface FramingSubscriber {
  readonly rule: FramingRule;
  readonly report: Reporter;
}

interface JudgeState {
  readonly tally: StreamTally;
  readonly gaps: StreamGaps;
  readonly units: CountedUnits;
  readonly progress: SearchProgress;
  /** Steps by event name, so that an event is only passed to rules that need it. */
  readonly subscribers: ReadonlyMap<string, readonly Subscriber[]>;
  readonly matchSubscribers: readonly MatchSubscriber[];
  readonly files: FileIndex;
  readonly framingSubscribers: ReadonlyMap<string, FramingSubscriber>;
  readonly reporters: readonly Reporter[];
  /** Receives permitted choices of the format. */
  readonly noteReporter: Reporter;
}

/** Creates a judge for one stream. Push every chunk of the body, then call `finish` once. */
export function createStreamJudge(options: StreamJudgeOptions): StreamJudge {
  const state = openState(options);
  const checker = createStreamChecker({
    onEvent: (event) => {
      options.onEvent?.(event);
      handleEvent(state, event);
    },
    onFinding: (finding) => handleFinding(state, finding),
    matchReader: createMatchReader(),
  });
  return {
    push(bytes, atMicros) {
      state.tally.bytes += bytes.length;
      state.tally.firstByteAtMicros ??= atMicros;
      checker.push(bytes, atMicros);
    },
    finish(end) {
      if (end.isComplete || (end.isClosedByServer === true && checker.isDone)) {
        checker.end();
        state.tally.isComplete = true;
      } else {
        blockRules(state, "transport", end.missing);
      }
      const facts = toStreamFacts(state.tally);
      countFramingObservations(state, facts);
      options.onFinish(facts, options.collector?.build(state.gaps.hasLostEvent));
      return facts;
    },
  };
}

function openState(options: StreamJudgeOptions): JudgeState {
  const { rules, builders, record, collector } = options;
  const subscribers = new Map<string, Subscriber[]>();
  const matchSubscribers: MatchSubscriber[] = [];
  const framingSubscribers = new Map<string, FramingSubscriber>();
  const reporters: Reporter[] = [];
  const gaps = noGaps();
  const units = emptyUnits();
  const progress = noProgress();
  for (const rule of rules) {
    const report = builders.get(rule.id)?.reporterFor(record.id);
    if (report === undefined || rule.needs === "exchanges") {
      continue;
    }
    if (needsBytes(rule, record)) {
      report.notTested("the recording contains the events read by a browser, not the bytes of the stream");
      continue;
    }
    reporters.push(report);
    if (rule.needs === "framing") {
      framingSubscribers.set(rule.id, { rule, report });
    } else {
      const readers = rule.open({ exchange: record, gaps, units, progress });
      for (const [name, read] of readers.events) {
        subscribe(subscribers, name, { read, report });
      }
      if (readers.match !== undefined) {
        matchSubscribers.push({ read: readers.match, report });
      }
    }
  }
  if (collector !== undefined) {
    subscribe(subscribers, "matches", { read: (event) => collector.addMatches(event), report: discardReporter });
    matchSubscribers.push({ read: (match) => collector.addMatch(match), report: discardReporter });
    subscribe(subscribers, "progress", { read: (event) => collector.addProgress(event), report: discardReporter });
    subscribe(subscribers, "filters", { read: (event) => collector.addFilters(event), report: discardReporter });
    subscribe(subscribers, "alert", { read: (event) => collector.addAlert(event), report: discardReporter });
  }
  return {
    tally: emptyTally(),
    gaps,
    units,
    progress,
    subscribers,
    matchSubscribers,
    files: new FileIndex(),
    framingSubscribers,
    reporters,
    noteReporter: selectNoteReporter(options, framingSubscribers),
  };
}

/** Reports whether a rule needs the bytes of a stream of which the recording contains only the events. */
const needsBytes = (rule: FramingRule | StreamRule, { eventsOnly }: StreamJudgeOptions["record"]): boolean =>
  eventsOnly === true && rule.needs === "framing" && rule.needsOnlyEvents !== true;

/**
 * Returns the reporter for permitted choices of the format. Choices in bytes that were reconstructed from events are
 * discarded.
 */
const selectNoteReporter = (
  { formatBuilder, record }: StreamJudgeOptions,
  framing: JudgeState["framingSubscribers"],
): Reporter =>
  record.eventsOnly === true
    ? discardReporter
    : (framing.get("stream/two-fields")?.report ?? formatBuilder.reporterFor(record.id));

function subscribe(subscribers: Map<string, Subscriber[]>, name: string, reader: Subscriber): void {
  const list = subscribers.get(name) ?? [];
  list.push(reader);
  subscribers.set(name, list);
}

/** Discards everything. */
const discardReporter: Reporter = { observation() {}, violation() {}, note() {}, blocked() {}, notTested() {} };

/** Violations after which an event is not passed to the rules, or only without its value. */
const eventLosingCodes: ReadonlySet<GrammarViolationCode> = new Set([
  "missing-event",
  "missing-data",
  "repeated-event",
  "repeated-data",
]);

function handleEvent(state: JudgeState, event: StreamEvent): void {
  countEvent(state.tally, event);
  addGaps(state.gaps, event);
  for (const { read, report } of state.subscribers.get(event.name) ?? []) {
    read(event, report);
  }
  if (event.name === "matches") {
    handleMatches(state, event);
  }
  addProgress(state.progress, event);
}

function handleMatches({ tally, units, matchSubscribers, files }: JudgeState, event: StreamEvent): void {
  const list = readMatches(event, files);
  for (let index = 0; index < list.length; index += 1) {
    const match = list.at(index);
    countMatch(tally, match);
    countUnits(units, match);
    for (const { read, report } of matchSubscribers) {
      read(match, report);
    }
  }
}

function handleFinding(state: JudgeState, finding: GrammarFinding): void {
  const { code, offset, length, event, title, detail } = finding;
  const message = detail === undefined || detail === "" ? title : `${title}: \`${detail}\``;
  switch (finding.kind) {
    case "limit":
      state.tally.limit = `${title} (${finding.limitBytes} bytes) at offset ${offset}`;
      blockRules(state, "limit", state.tally.limit);
      return;
    case "note":
      state.noteReporter.note({ message, code, event, offset, length });
      return;
    case "violation": {
      const { standardClient } = finding;
      state.gaps.hasLostEvent ||= eventLosingCodes.has(finding.code);
      const subscriber = state.framingSubscribers.get(grammarViolations[finding.code].rule);
      subscriber?.report.violation({ message, code, event, offset, length, standardClient });
    }
  }
}

function blockRules({ reporters }: JudgeState, kind: "transport" | "limit", missing: string): void {
  for (const report of reporters) {
    report.blocked({ kind, missing });
  }
}

function countFramingObservations({ framingSubscribers }: JudgeState, facts: StreamFacts): void {
  const counts: Readonly<Record<FramingRule["counts"], number>> = {
    events: facts.events,
    streams: Number(facts.bytes > 0),
    "ended-streams": Number(facts.isComplete && facts.limit === undefined),
    "done-events": facts.eventCounts["done"] ?? 0,
  };
  for (const { rule, report } of framingSubscribers.values()) {
    report.observation(counts[rule.counts]);
  }
}
