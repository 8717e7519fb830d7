import type { RuleId, LoadSide } from "@assay/contract";
import { openKeptFile } from "@assay/evidence";
import type { HttpVersion, KeptEntry, KeptExchange, KeptFile, RecordedExchange } from "@assay/evidence";
import type { JudgedGroup } from "@assay/results";
import { mergeOutcomes } from "@assay/rules";
import type { RuleOutcome } from "@assay/rules";
import { judgeLoadCalls, classifyLoadExchange, type LoadRules, judgeLoadStreams } from "./load-rules.ts";
import { ProofSample } from "./proof-sample.ts";
import { toRecordedCall } from "../judge/recorded-call.ts";
import { ApiWatch } from "../judge/root-reason.ts";

/** Number of exchanges judged in one batch. */
const batchLength = 200;
/** Number of calls of finished conversations judged in one batch. */
const callBatchLength = 2000;

/** Accumulated outcomes by rule. */
export type Outcomes = Map<RuleId, RuleOutcome>;

/** Adds the outcomes of one part of the evidence. */
export function addOutcomes(outcomes: Outcomes, newOutcomes: ReadonlyMap<RuleId, RuleOutcome>): void {
  for (const [id, outcome] of newOutcomes) {
    const existingOutcome = outcomes.get(id);
    outcomes.set(id, existingOutcome === undefined ? outcome : mergeOutcomes(existingOutcome, outcome));
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

export const createCounts = (): KeptCounts => ({
  search: { judged: 0, brokenOff: 0, unanswered: 0 },
  conversation: { judged: 0, brokenOff: 0, unanswered: 0 },
});

/** Judges the exchanges of one target in batches. Keeps only the data needed for findings and proofs. */
export class BatchJudge {
  /** Outcomes of complete exchanges. For interrupted searches see `interruptedOutcomes`. */
  readonly outcomes: Outcomes = new Map();
  readonly interruptedOutcomes: Outcomes = new Map();
  readonly counts = createCounts();
  readonly sample = new ProofSample();
  /** Whether the API responded to the searches and calls. */
  readonly api = { search: new ApiWatch(), conversation: new ApiWatch() };
  readonly crashes = new Set<string>();
  /** HTTP versions of the responses. */
  readonly httpVersions = new Set<HttpVersion>();
  /** Exchanges with findings. */
  readonly citedExchanges = new Map<string, KeptExchange>();
  readonly #rules: LoadRules;
  #completeSearches: KeptExchange[] = [];
  #interruptedSearches: KeptExchange[] = [];
  #finishedCalls: KeptExchange[] = [];
  readonly #callsByConversation = new Map<string, KeptExchange[]>();

  constructor(rules: LoadRules) {
    this.#rules = rules;
  }

  add(entry: KeptExchange): void {
    const { exchange } = entry;
    const group = exchange.record.interface === "stream" ? "search" : "conversation";
    const { response, httpVersion } = exchange.record;
    if (response !== undefined && httpVersion !== undefined) {
      this.httpVersions.add(httpVersion);
    }
    const isNotFromApi = this.api[group].add(exchange);
    const completeness = isNotFromApi ? "unanswered" : findCompleteness(exchange);
    this.counts[group][completeness] += 1;
    if (isNotFromApi) {
      return;
    }
    if (group === "search") {
      this.#addSearch(entry, completeness === "judged");
    } else {
      this.#addCall(entry);
    }
  }

  endSession(session: string): void {
    const calls = this.#callsByConversation.get(session);
    if (calls === undefined) {
      return;
    }
    this.sample.addSession(calls.map(({ exchange }) => exchange));
    this.#finishedCalls.push(...calls);
    this.#callsByConversation.delete(session);
    this.#judgeCalls(callBatchLength);
  }

  /** Judges the remaining exchanges. */
  finish(): void {
    this.#finishedCalls.push(...[...this.#callsByConversation.values()].flat());
    this.#callsByConversation.clear();
    this.#completeSearches = this.#judgeStreams(this.#completeSearches, this.outcomes, 1);
    this.#interruptedSearches = this.#judgeStreams(this.#interruptedSearches, this.interruptedOutcomes, 1);
    this.#judgeCalls(1);
  }

  #addSearch(entry: KeptExchange, isComplete: boolean): void {
    if (isComplete) {
      // Only streams can be sampled.
      if (classifyLoadExchange(entry.exchange) === "stream") {
        this.sample.addSearch(entry.exchange);
      }
      this.#completeSearches.push(entry);
      this.#completeSearches = this.#judgeStreams(this.#completeSearches, this.outcomes, batchLength);
    } else {
      this.#interruptedSearches.push(entry);
      this.#interruptedSearches = this.#judgeStreams(this.#interruptedSearches, this.interruptedOutcomes, batchLength);
    }
  }

  #addCall(entry: KeptExchange): void {
    const { exchange, conversation = exchange.record.id } = entry;
    const calls = this.#callsByConversation.get(conversation);
    if (calls === undefined) {
      this.#callsByConversation.set(conversation, [entry]);
    } else {
      calls.push(entry);
    }
  }

  /** Judges streams if there are at least `minCount` of them. Returns the streams that remain to be judged. */
  #judgeStreams(batch: KeptExchange[], outcomes: Outcomes, minCount: number): KeptExchange[] {
    if (batch.length < minCount) {
      return batch;
    }
    const results = judgeLoadStreams(
      this.#rules.streams,
      batch.map(({ exchange }) => exchange),
    );
    results.crashes.forEach((crash) => this.crashes.add(crash));
    addOutcomes(outcomes, results.outcomes);
    this.#keepCitedExchanges(batch);
    return [];
  }

  #judgeCalls(minCount: number): void {
    if (this.#finishedCalls.length < minCount) {
      return;
    }
    const batch = this.#finishedCalls;
    this.#finishedCalls = [];
    const calls = batch.map(({ exchange }) => toRecordedCall(exchange));
    addOutcomes(this.outcomes, judgeLoadCalls(this.#rules.calls, calls));
    this.#keepCitedExchanges(batch);
  }

  #keepCitedExchanges(batch: readonly KeptExchange[]): void {
    const outcomes = [...this.outcomes.values(), ...this.interruptedOutcomes.values()];
    const citedIds = new Set(outcomes.flatMap(({ findings }) => findings.map(({ exchange }) => exchange)));
    for (const id of this.citedExchanges.keys()) {
      if (!citedIds.has(id)) {
        this.citedExchanges.delete(id);
      }
    }
    for (const entry of batch) {
      if (citedIds.has(entry.exchange.record.id)) {
        this.citedExchanges.set(entry.exchange.record.id, entry);
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
      this.#add(entry);
      count += 1;
      if (count === maxEntries) {
        return true;
      }
    }
    return false;
  }

  /** Judges the rest of a finished file. Returns a reason if the end of the file could not be read. */
  finish(): readonly string[] {
    for (const entry of this.#file.entries()) {
      this.#add(entry);
    }
    this.sides.base.finish();
    this.sides.head.finish();
    const problem = this.#file.problem();
    const name = this.#file.path.replace(/^.*[\\/]/u, "");
    return problem === undefined ? [] : [`${name} was not read to its end: ${problem}`];
  }

  close(): void {
    this.#file.close();
  }

  #add(entry: KeptEntry): void {
    if (entry.kind === "session-over") {
      this.sides.base.endSession(entry.session);
      this.sides.head.endSession(entry.session);
    } else {
      this.sides[entry.load.side].add(entry);
    }
  }
}
