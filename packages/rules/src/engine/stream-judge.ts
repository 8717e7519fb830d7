import { grammarViolations } from "@assay/contract";
import type { GrammarViolationCode, RuleId } from "@assay/contract";
import type { ExchangeRecord } from "@assay/evidence";
import { createStreamChecker } from "@assay/stream-grammar";
import type { GrammarFinding, StreamEvent } from "@assay/stream-grammar";
import type { Reporter } from "./reporter.ts";
import type { OutcomeBuilder } from "./rule-outcome.ts";
import type { ResultCollector, ResultFacts } from "./result-facts.ts";
import type { EventReader, FramingRule, Rule, StreamContext, StreamDamage, StreamRule } from "./rule.ts";
import { countEvent, emptyTally, createStreamFacts } from "./stream-facts.ts";
import type { StreamFacts, StreamTally } from "./stream-facts.ts";

/** Judges one stream while its bytes arrive. */
export interface StreamJudge {
  push(bytes: Uint8Array, atMicros: number): void;
  /**
   * Ends the stream. `ended`: the body ended as HTTP requires. Otherwise `missing` describes what cut it short, and
   * rules about the end of a stream are not checked. `isClosed`: the server closed the connection, so no event is
   * missing if `done` arrived.
   */
  finish(end: StreamEnd): StreamFacts;
}

/** How the body of a stream ended. */
export type StreamEnd =
  | { readonly ended: true }
  | { readonly ended: false; readonly missing: string; readonly isClosed?: boolean };

export interface StreamJudgeOptions {
  readonly rules: readonly Rule[];
  readonly builders: ReadonlyMap<RuleId, OutcomeBuilder>;
  /** Receives permitted choices of the format if the rule about them is not in `rules`. */
  readonly format: OutcomeBuilder;
  readonly record: Pick<ExchangeRecord, "id" | "request" | "credential" | "eventsOnly">;
  /** Collects the results of the search. Without it none are kept. */
  readonly collector?: ResultCollector;
  readonly onFinish: (facts: StreamFacts, results?: ResultFacts) => void;
}

interface Subscriber {
  readonly read: EventReader;
  readonly report: Reporter;
}

interface FramingSubscriber {
  readonly rule: FramingRule;
  readonly report: Reporter;
}

interface Judging {
  readonly tally: StreamTally;
  readonly damage: StreamDamage;
  /** Steps by event name, so that an event is only passed to rules that need it. */
  readonly subscribers: ReadonlyMap<string, readonly Subscriber[]>;
  readonly any: readonly Subscriber[];
  readonly framing: ReadonlyMap<string, FramingSubscriber>;
  readonly reporters: readonly Reporter[];
  /** Receives permitted choices of the format. */
  readonly notes: Reporter;
}

export function createStreamJudge(options: StreamJudgeOptions): StreamJudge {
  const judging = openJudging(options);
  const checker = createStreamChecker({
    onEvent: (event) => handleEvent(judging, event),
    onFinding: (finding) => handleFinding(judging, finding),
  });
  return {
    push(bytes, atMicros) {
      judging.tally.bytes += bytes.length;
      judging.tally.firstByteAtMicros ??= atMicros;
      checker.push(bytes, atMicros);
    },
    finish(end) {
      if (end.ended || (end.isClosed === true && checker.isDone)) {
        checker.end();
        judging.tally.isEnded = true;
      } else {
        cutShort(judging, "transport", end.missing);
      }
      const facts = createStreamFacts(judging.tally);
      countFraming(judging, facts);
      options.onFinish(facts, options.collector?.build(judging.damage.hasLostEvent));
      return facts;
    },
  };
}

function openJudging(options: StreamJudgeOptions): Judging {
  const { rules, builders, record, collector } = options;
  const subscribers = new Map<string, Subscriber[]>();
  const framing = new Map<string, FramingSubscriber>();
  const reporters: Reporter[] = [];
  const damage: StreamDamage = { hasLostEvent: false };
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
      framing.set(rule.id, { rule, report });
    } else {
      subscribeRule(subscribers, rule, { report, context: { exchange: record, damage } });
    }
  }
  if (collector !== undefined) {
    subscribe(subscribers, "matches", { read: (event) => collector.addMatches(event), report: discardReporter });
    subscribe(subscribers, "progress", { read: (event) => collector.addProgress(event), report: discardReporter });
    subscribe(subscribers, "filters", { read: (event) => collector.addFilters(event), report: discardReporter });
    subscribe(subscribers, "alert", { read: (event) => collector.addAlert(event), report: discardReporter });
  }
  const any = subscribers.get("any") ?? [];
  // A target may also send an event named `any`.
  subscribers.delete("any");
  return {
    tally: emptyTally(),
    damage,
    subscribers,
    any,
    framing,
    reporters,
    notes: notesOf(options, framing),
  };
}

/** Reports whether a rule needs the bytes of a stream of which the recording contains only the events. */
const needsBytes = (rule: FramingRule | StreamRule, { eventsOnly }: StreamJudgeOptions["record"]): boolean =>
  eventsOnly === true && rule.needs === "framing" && rule.isOfEvents !== true;

/**
 * The reporter for permitted choices of the format. Choices in bytes that were reconstructed from events are discarded.
 */
const notesOf = ({ format, record }: StreamJudgeOptions, framing: Judging["framing"]): Reporter =>
  record.eventsOnly === true
    ? discardReporter
    : (framing.get("stream/two-fields")?.report ?? format.reporterFor(record.id));

function subscribeRule(
  subscribers: Map<string, Subscriber[]>,
  rule: StreamRule,
  { report, context }: { readonly report: Reporter; readonly context: StreamContext },
): void {
  for (const [name, read] of rule.open(context)) {
    subscribe(subscribers, name, { read, report });
  }
}

function subscribe(subscribers: Map<string, Subscriber[]>, name: string, reader: Subscriber): void {
  const list = subscribers.get(name) ?? [];
  list.push(reader);
  subscribers.set(name, list);
}

/** Discards everything. */
const discardReporter: Reporter = { observation() {}, violation() {}, note() {}, blocked() {}, notTested() {} };

/** Violations after which an event is not passed to the rules, or only without its value. */
const losesEvent: ReadonlySet<GrammarViolationCode> = new Set([
  "missing-event",
  "missing-data",
  "repeated-event",
  "repeated-data",
]);

function handleEvent(judging: Judging, event: StreamEvent): void {
  countEvent(judging.tally, event);
  for (const { read, report } of judging.any) {
    read(event, report);
  }
  for (const { read, report } of judging.subscribers.get(event.name) ?? []) {
    read(event, report);
  }
}

function handleFinding(judging: Judging, finding: GrammarFinding): void {
  const { code, offset, length, event, title, detail } = finding;
  const message = detail === undefined || detail === "" ? title : `${title}: \`${detail}\``;
  switch (finding.kind) {
    case "limit":
      judging.tally.limit = `${title} (${finding.limitBytes} bytes) at offset ${offset}`;
      cutShort(judging, "limit", judging.tally.limit);
      return;
    case "note":
      judging.notes.note({ message, code, event, offset, length });
      return;
    case "violation": {
      const { standardClient } = finding;
      judging.damage.hasLostEvent ||= losesEvent.has(finding.code);
      const subscriber = judging.framing.get(grammarViolations[finding.code].rule);
      subscriber?.report.violation({ message, code, event, offset, length, standardClient });
    }
  }
}

function cutShort({ reporters }: Judging, kind: "transport" | "limit", missing: string): void {
  for (const report of reporters) {
    report.blocked({ kind, missing });
  }
}

function countFraming({ framing }: Judging, facts: StreamFacts): void {
  const counts: Readonly<Record<FramingRule["counts"], number>> = {
    events: facts.events,
    streams: Number(facts.bytes > 0),
    "ended-streams": Number(facts.isEnded && facts.limit === undefined),
    "done-events": facts.eventCounts["done"] ?? 0,
  };
  for (const { rule, report } of framing.values()) {
    report.observation(counts[rule.counts]);
  }
}
