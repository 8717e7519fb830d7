import type { RuleId, LoadSide } from "@assay/contract";
import { openKeptFile } from "@assay/evidence";
import type { HttpVersion, KeptEntry, KeptExchange, KeptFile, RecordedExchange } from "@assay/evidence";
import type { JudgedGroup } from "@assay/results";
import { mergeOutcomes } from "@assay/rules";
import type { RuleOutcome } from "@assay/rules";
import { callOutcomes, readLoadExchange, type LoadRules, streamOutcomes } from "./load-rules.ts";
import { ProofSample } from "./proof-sample.ts";
import { recordedCall } from "../judge/recorded-call.ts";
import { ApiWatch } from "../judge/root-reason.ts";

/** Number of exchanges judged in one batch. */
const batchLength = 200;
/** Number of calls of finished conversations judged in one batch. */
const callsLength = 2000;

/** Accumulated outcomes by rule. */
export type Outcomes = Map<RuleId, RuleOutcome>;

/** Adds the outcomes of one part of the evidence. */
export function addOutcomes(outcomes: Outcomes, added: ReadonlyMap<RuleId, RuleOutcome>): void {
  for (const [id, outcome] of added) {
    const before = outcomes.get(id);
    outcomes.set(id, before === undefined ? outcome : mergeOutcomes(before, outcome));
  }
}

/** The degree to which a stored exchange could be judged. */
type Completeness = keyof Pick<JudgedGroup, "judged" | "brokenOff" | "unanswered">;

function findCompleteness({ record, unreadable }: RecordedExchange): Completeness {
  if (record.response === undefined) {
    return "unanswered";
  }
  return record.end.kind === "failed" || unreadable !== undefined ? "brokenOff" : "judged";
}

/** Numbers of exchanges by kind and completeness. */
export type KeptCounts = Record<JudgedGroup["group"], Record<Completeness, number>>;

export const noCounts = (): KeptCounts => ({
  search: { judged: 0, brokenOff: 0, unanswered: 0 },
  conversation: { judged: 0, brokenOff: 0, unanswered: 0 },
});

/** Judges the exchanges of one target in batches. Keeps only the data needed for findings and proofs. */
export class BatchJudge {
  /** Outcomes of complete exchanges. `cutShort` contains those of interrupted searches. */
  readonly outcomes: Outcomes = new Map();
  readonly cutShort: Outcomes = new Map();
  readonly counts = noCounts();
  readonly sample = new ProofSample();
  /** Whether the API responded to the searches and calls. */
  readonly api = { search: new ApiWatch(), conversation: new ApiWatch() };
  readonly crashes = new Set<string>();
  /** HTTP versions of the responses. */
  readonly httpVersions = new Set<HttpVersion>();
  /** Exchanges with findings. */
  readonly found = new Map<string, KeptExchange>();
  readonly #rules: LoadRules;
  #whole: KeptExchange[] = [];
  #cut: KeptExchange[] = [];
  #over: KeptExchange[] = [];
  readonly #open = new Map<string, KeptExchange[]>();

  constructor(rules: LoadRules) {
    this.#rules = rules;
  }

  take(entry: KeptExchange): void {
    const { exchange } = entry;
    const group = exchange.record.interface === "stream" ? "search" : "conversation";
    const { response, httpVersion } = exchange.record;
    if (response !== undefined && httpVersion !== undefined) {
      this.httpVersions.add(httpVersion);
    }
    const isNotFromApi = this.api[group].take(exchange);
    const completeness = isNotFromApi ? "unanswered" : findCompleteness(exchange);
    this.counts[group][completeness] += 1;
    if (isNotFromApi) {
      return;
    }
    if (group === "search") {
      this.#takeStream(entry, completeness === "judged");
    } else {
      this.#takeCall(entry);
    }
  }

  sessionOver(session: string): void {
    const calls = this.#open.get(session);
    if (calls === undefined) {
      return;
    }
    this.sample.takeSession(calls.map(({ exchange }) => exchange));
    this.#over.push(...calls);
    this.#open.delete(session);
    this.#judgeCalls(callsLength);
  }

  /** Judges the remaining exchanges. */
  end(): void {
    this.#over.push(...[...this.#open.values()].flat());
    this.#open.clear();
    this.#whole = this.#judgeStreams(this.#whole, this.outcomes, 1);
    this.#cut = this.#judgeStreams(this.#cut, this.cutShort, 1);
    this.#judgeCalls(1);
  }

  #takeStream(entry: KeptExchange, isWhole: boolean): void {
    if (isWhole) {
      // Only streams can be sampled.
      if (readLoadExchange(entry.exchange) === "stream") {
        this.sample.takeSearch(entry.exchange);
      }
      this.#whole.push(entry);
      this.#whole = this.#judgeStreams(this.#whole, this.outcomes, batchLength);
    } else {
      this.#cut.push(entry);
      this.#cut = this.#judgeStreams(this.#cut, this.cutShort, batchLength);
    }
  }

  #takeCall(entry: KeptExchange): void {
    const { exchange, conversation = exchange.record.id } = entry;
    const calls = this.#open.get(conversation);
    if (calls === undefined) {
      this.#open.set(conversation, [entry]);
    } else {
      calls.push(entry);
    }
  }

  /** Judges streams if there are at least `least` of them. */
  #judgeStreams(batch: KeptExchange[], outcomes: Outcomes, minCount: number): KeptExchange[] {
    if (batch.length < minCount) {
      return batch;
    }
    const results = streamOutcomes(
      this.#rules.streams,
      batch.map(({ exchange }) => exchange),
    );
    results.crashes.forEach((crash) => this.crashes.add(crash));
    addOutcomes(outcomes, results.outcomes);
    this.#remember(batch);
    return [];
  }

  #judgeCalls(minCount: number): void {
    if (this.#over.length < minCount) {
      return;
    }
    const batch = this.#over;
    this.#over = [];
    const calls = batch.map(({ exchange }) => recordedCall(exchange));
    addOutcomes(this.outcomes, callOutcomes(this.#rules.calls, calls));
    this.#remember(batch);
  }

  #remember(batch: readonly KeptExchange[]): void {
    const outcomes = [...this.outcomes.values(), ...this.cutShort.values()];
    const citedIds = new Set(outcomes.flatMap(({ findings }) => findings.map(({ exchange }) => exchange)));
    for (const id of this.found.keys()) {
      if (!citedIds.has(id)) {
        this.found.delete(id);
      }
    }
    for (const kept of batch) {
      if (citedIds.has(kept.exchange.record.id)) {
        this.found.set(kept.exchange.record.id, kept);
      }
    }
  }
}

/**
 * Judges one file of kept exchanges, which may still be growing. The result does not depend on the number of steps in
 * which the file is read. Its bytes are available until it is closed.
 */
export class KeptFileJudge {
  /** One judge for each target, because two targets may use the same conversation ids. */
  readonly sides: Readonly<Record<LoadSide, BatchJudge>>;
  readonly #file: KeptFile;

  /** Throws a system error if the file cannot be opened. */
  constructor(path: string, rules: LoadRules) {
    this.#file = openKeptFile(path);
    this.sides = { base: new BatchJudge(rules), head: new BatchJudge(rules) };
  }

  /** Judges at most `maxEntries` new entries. Returns true if there may be more. */
  follow(maxEntries: number): boolean {
    let count = 0;
    for (const entry of this.#file.entries({ isGrowing: true })) {
      this.#take(entry);
      count += 1;
      if (count === maxEntries) {
        return true;
      }
    }
    return false;
  }

  /** Judges the rest of a finished file. Returns a reason if the end of the file could not be read. */
  end(): readonly string[] {
    for (const entry of this.#file.entries()) {
      this.#take(entry);
    }
    this.sides.base.end();
    this.sides.head.end();
    const problem = this.#file.problem();
    const name = this.#file.path.replace(/^.*[\\/]/u, "");
    return problem === undefined ? [] : [`${name} was not read to its end: ${problem}`];
  }

  close(): void {
    this.#file.close();
  }

  #take(entry: KeptEntry): void {
    if (entry.kind === "session-over") {
      this.sides.base.sessionOver(entry.session);
      this.sides.head.sessionOver(entry.session);
    } else {
      this.sides[entry.load.side].take(entry);
    }
  }
}
