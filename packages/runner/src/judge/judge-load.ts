import { isRuleId, ruleIds, ruleRecord } from "@assay/contract";
import type { RuleId } from "@assay/contract";
import { openKeptFile, visibleText } from "@assay/evidence";
import type { KeptEntry, KeptExchange, KeptFile, RecordedExchange } from "@assay/evidence";
import { judgementSentence } from "@assay/results";
import type { BrokenRule, JudgedGroup, LoadDependence, LoadJudgement, RuleVerdict } from "@assay/results";
import { allRules, conversationRules, judgeConversations, mergedOutcome } from "@assay/rules";
import type { ArmProof, ConversationRule, RecordedCall, Rule, RuleOutcome } from "@assay/rules";
import type { JudgedInterface } from "../plan/select-rules.ts";
import { answerKind, isForeign } from "./answer-kind.ts";
import { heldIn } from "./judge-exchanges.ts";
import { recordedCall } from "./recorded-call.ts";
import { crashedOutcome, ruleOutcomes } from "./rule-outcomes.ts";
import { ruleVerdicts } from "./rule-verdicts.ts";
import { proveRules } from "./prove-rules.ts";
import { withProof } from "./with-proof.ts";

/** What is known of the exchanges of a kind besides those that are on the disk, as the extension of k6 counted them. */
export interface ExchangeCount {
  readonly sent: number;
  readonly thinnedOut: number;
  readonly lost: number;
}

/** A load whose exchanges are to be judged. */
export interface LoadToJudge {
  /** Files of kept exchanges. */
  readonly files: readonly string[];
  readonly interfaces: ReadonlySet<JudgedInterface>;
  /** By kind; where it is missing, what is on the disk is all that is known. */
  readonly counts: Readonly<Partial<Record<JudgedGroup["group"], ExchangeCount>>>;
  readonly keptBytes: number;
  readonly capBytes: number;
  readonly problems: readonly string[];
  /** Searches that were sent before and after the load. */
  readonly unloaded?: readonly RecordedExchange[];
}

const target = { access: "undeclared", sharing: "undeclared" } as const;

/** So many exchanges are judged at a time; what they came to is added up. */
const batchLength = 200;
/** So many calls, of conversations that are over. */
const callsLength = 2000;

/** Outcomes by rule that grow batch by batch. */
type Outcomes = Map<RuleId, RuleOutcome>;

function addOutcomes(all: Outcomes, some: ReadonlyMap<RuleId, RuleOutcome>): void {
  for (const [id, outcome] of some) {
    const before = all.get(id);
    all.set(id, before === undefined ? outcome : mergedOutcome(before, outcome));
  }
}

const readingOf = (exchange: RecordedExchange): "stream" | "answer" => {
  const kind = answerKind(exchange);
  return kind === "stream" || isForeign(kind) ? "stream" : "answer";
};

/** Judges streams. A rule that throws costs the others nothing. */
const streamOutcomes = (rules: readonly Rule[], exchanges: readonly RecordedExchange[]) =>
  ruleOutcomes(rules, { exchanges, readingOf, target });

function callOutcomes(
  rules: readonly ConversationRule[],
  calls: readonly RecordedCall[],
): ReadonlyMap<RuleId, RuleOutcome> {
  try {
    return judgeConversations({ rules, target, calls }).outcomes;
  } catch (cause) {
    if (rules.length > 1) {
      return new Map(rules.flatMap((rule) => [...callOutcomes([rule], calls)]));
    }
    const why = visibleText(cause instanceof Error ? cause.message : String(cause), 200);
    return new Map(rules.map(({ id }) => [id, crashedOutcome(`the rule ${id} failed: ${why}`)]));
  }
}

/** A judge that is shown exchanges one after the other and keeps little of them. */
class BatchJudge {
  readonly outcomes: Outcomes = new Map();
  readonly judged: Record<JudgedGroup["group"], number> = { search: 0, conversation: 0 };
  readonly sample = new ProofSample();
  readonly crashes = new Set<string>();
  /** Those that findings are about. */
  readonly found = new Map<string, KeptExchange>();
  readonly #rules: { readonly streams: readonly Rule[]; readonly calls: readonly ConversationRule[] };
  #streams: KeptExchange[] = [];
  #over: KeptExchange[] = [];
  readonly #open = new Map<string, KeptExchange[]>();

  constructor(rules: BatchJudge["ruleSets"]) {
    this.#rules = rules;
  }

  get ruleSets(): { readonly streams: readonly Rule[]; readonly calls: readonly ConversationRule[] } {
    return this.#rules;
  }

  take(entry: KeptEntry): void {
    if (entry.kind === "session-over") {
      const calls = this.#open.get(entry.session) ?? [];
      this.sample.takeSession(calls.map(({ exchange }) => exchange));
      this.#over.push(...calls);
      this.#open.delete(entry.session);
      this.#judgeCalls(callsLength);
    } else if (entry.exchange.record.interface === "stream") {
      this.sample.takeSearch(entry.exchange);
      this.#streams.push(entry);
      this.#judgeStreams(batchLength);
    } else {
      const session = entry.exchange.record.session ?? entry.exchange.record.id;
      this.#open.set(session, [...(this.#open.get(session) ?? []), entry]);
    }
  }

  /** Judges what is left, before the file is closed that it lies in. */
  end(): void {
    this.#over.push(...[...this.#open.values()].flat());
    this.#open.clear();
    this.#judgeStreams(1);
    this.#judgeCalls(1);
  }

  #judgeStreams(least: number): void {
    if (this.#streams.length < least) {
      return;
    }
    const batch = this.#streams;
    this.#streams = [];
    const judged = streamOutcomes(
      this.#rules.streams,
      batch.map(({ exchange }) => exchange),
    );
    judged.crashes.forEach((crash) => this.crashes.add(crash));
    this.judged.search += batch.length;
    this.#add(judged.outcomes, batch);
  }

  #judgeCalls(least: number): void {
    if (this.#over.length < least) {
      return;
    }
    const batch = this.#over;
    this.#over = [];
    const calls = batch.map(({ exchange }) => recordedCall(exchange));
    this.judged.conversation += batch.length;
    this.#add(callOutcomes(this.#rules.calls, calls), batch);
  }

  #add(outcomes: ReadonlyMap<RuleId, RuleOutcome>, batch: readonly KeptExchange[]): void {
    addOutcomes(this.outcomes, outcomes);
    const named = new Set(
      [...this.outcomes.values()].flatMap(({ findings }) => findings.map(({ exchange }) => exchange)),
    );
    for (const id of this.found.keys()) {
      if (!named.has(id)) {
        this.found.delete(id);
      }
    }
    for (const kept of batch) {
      if (named.has(kept.exchange.record.id)) {
        this.found.set(kept.exchange.record.id, kept);
      }
    }
  }
}

/** So many searches of one address, so many addresses, and so many conversations are sampled. */
const sampledOfAddress = 2;
const sampledAddresses = 24;
const sampledSessions = 12;

/**
 * A few exchanges of every kind, for proofs: the first searches of each address, and the first conversations that are over.
 * Proofs edit them, as they edit all exchanges of a run.
 */
class ProofSample {
  readonly searches: RecordedExchange[] = [];
  readonly calls: RecordedExchange[] = [];
  readonly #addresses = new Map<string, number>();
  #sessions = 0;

  takeSearch(exchange: RecordedExchange): void {
    const address = exchange.record.request.url;
    const taken = this.#addresses.get(address) ?? 0;
    const isKnown = taken > 0 || this.#addresses.size < sampledAddresses;
    if (isKnown && taken < sampledOfAddress) {
      this.#addresses.set(address, taken + 1);
      this.searches.push(exchange);
    }
  }

  takeSession(calls: readonly RecordedExchange[]): void {
    if (this.#sessions < sampledSessions) {
      this.#sessions += 1;
      this.calls.push(...calls);
    }
  }

  /** The proofs of the rules that hold in the whole load. */
  proofs(rules: BatchJudge["ruleSets"], held: ReadonlyMap<string, number>): ReadonlyMap<RuleId, readonly ArmProof[]> {
    const { judged } = streamOutcomes(rules.streams, this.searches);
    return proveRules(
      {
        target,
        streams: { rules: rules.streams, exchanges: this.searches, judged, readingOf },
        conversations: {
          rules: rules.calls,
          exchanges: this.calls,
          calls: this.calls.map((exchange) => recordedCall(exchange)),
          references: [],
          served: {},
        },
      },
      held,
    );
  }
}

/** What cut single exchanges short is told with the outcomes of the load; a rule that saw others whole has its verdict. */
function withoutObstacle(outcome: RuleOutcome): RuleOutcome {
  const { obstacle, ...rest } = outcome;
  return obstacle?.kind === "transport" && outcome.observations > 0 ? rest : outcome;
}

const isOfLoad = (id: RuleId, interfaces: ReadonlySet<string>): boolean => interfaces.has(ruleRecord(id).interface);

/** Rules about some interfaces that one exchange, or one conversation, suffices for. */
function rulesFor(interfaces: ReadonlySet<string>) {
  return {
    streams: allRules.filter(({ id, needs }) => needs !== "exchanges" && isOfLoad(id, interfaces)),
    calls: conversationRules.filter(({ id }) => isOfLoad(id, interfaces)),
  };
}

const dependenceOf = (rule: RuleId, unloaded: ReadonlyMap<RuleId, RuleOutcome>): LoadDependence => {
  const outcome = unloaded.get(rule);
  if (outcome?.findings.some(({ kind }) => kind === "violation") === true) {
    return "without-load-too";
  }
  return outcome === undefined || outcome.observations === 0 ? "unknown" : "under-load";
};

function brokenRules(
  verdicts: readonly RuleVerdict[],
  judge: BatchJudge,
  unloaded: ReadonlyMap<RuleId, RuleOutcome>,
): readonly BrokenRule[] {
  return verdicts.flatMap(({ rule, title, verdict }): readonly BrokenRule[] => {
    if (verdict.outcome !== "failed" || !isRuleId(rule)) {
      return [];
    }
    const seen = verdict.findings.map((finding) => ({ finding, kept: judge.found.get(finding.exchange ?? "") }));
    const [first = { finding: verdict.findings[0], kept: undefined }] = seen.toSorted(
      (one, other) => startOf(one.kept) - startOf(other.kept),
    );
    const { phase = "measure", query = "", inFlight = 0, ratePerSecond = 0 } = first.kept?.load ?? {};
    return [
      {
        rule,
        title,
        violations: verdict.findings.length + verdict.moreFindings,
        message: first.finding.message,
        exchange: first.finding.exchange ?? "",
        atSeconds: Math.floor(startOf(first.kept) / 1e6),
        phase,
        query: visibleText(query, 200),
        inFlight,
        ratePerSecond,
        dependence: dependenceOf(rule, unloaded),
      },
    ];
  });
}

const startOf = (kept: KeptExchange | undefined): number => kept?.exchange.record.times.sentAtMicros ?? 0;

const groupNames = ["search", "conversation"] as const;

function groupsOf(judged: BatchJudge["judged"], counts: LoadToJudge["counts"]): readonly JudgedGroup[] {
  return groupNames.flatMap((group) => {
    const { sent, thinnedOut, lost } = counts[group] ?? { sent: judged[group], thinnedOut: 0, lost: 0 };
    return sent === 0 && judged[group] === 0
      ? []
      : [{ group, sent: Math.max(sent, judged[group]), judged: judged[group], thinnedOut, lost }];
  });
}

/** Shows a judge a file; why it was not read to its end, if it was not. */
function judgeFile(judge: BatchJudge, file: KeptFile): readonly string[] {
  for (const entry of file.entries()) {
    judge.take(entry);
  }
  judge.end();
  const problem = file.problem();
  return problem === undefined ? [] : [`${file.path.replace(/^.*[\\/]/u, "")} was not read to its end: ${problem}`];
}

/**
 * Judges the exchanges of a load by every rule that needs one exchange or the history of one conversation. Reads the files batch by
 * batch: memory does not grow with them. A rule that holds is proven able to fail on a sample of them, or was not observed. Says
 * so where not everything was there to be judged. The same files give the same answer.
 */
export function judgeLoad(load: LoadToJudge): LoadJudgement {
  const rules = rulesFor(load.interfaces);
  const judge = new BatchJudge(rules);
  const files: KeptFile[] = [];
  const problems = [...load.problems];
  try {
    for (const path of load.files) {
      const file = openKeptFile(path);
      files.push(file);
      problems.push(...judgeFile(judge, file));
    }
    return judgementOf(load, judge, [...problems, ...judge.crashes]);
  } finally {
    files.forEach((file) => file.close());
  }
}

function judgementOf(load: LoadToJudge, judge: BatchJudge, problems: readonly string[]): LoadJudgement {
  const { streams, calls } = judge.ruleSets;
  const asked: readonly RuleId[] = [...streams, ...calls].map(({ id }) => id);
  const unloaded = load.unloaded ?? [];
  const outcomes = new Map([...judge.outcomes].map(([id, outcome]) => [id, withoutObstacle(outcome)]));
  const plain = ruleVerdicts({
    outcomes,
    settings: { rules: asked, mustObserve: [], strict: false, ...target },
    lookup: new Map([...judge.found].map(([id, { exchange }]) => [id, exchange])),
  });
  const proofs = judge.sample.proofs(judge.ruleSets, heldIn(plain));
  const verdicts = plain.map((verdict) => withProof(verdict, proofs));
  const broken = brokenRules(verdicts, judge, streamOutcomes(streams, unloaded).outcomes);
  const count = (outcome: string): number => verdicts.filter(({ verdict }) => verdict.outcome === outcome).length;
  const wanted = ruleIds.filter((id) => isOfLoad(id, load.interfaces));
  const groups = groupsOf(judge.judged, load.counts);
  const held = count("passed");
  const proven = verdicts.filter(({ verdict, proof }) => verdict.outcome === "passed" && proof !== undefined).length;
  const notObserved = count("not-observed") + count("not-applicable");
  return {
    groups,
    rules: {
      held,
      proven,
      broken: broken.length,
      notObserved,
      notJudged: wanted.length - held - broken.length - notObserved,
    },
    broken,
    unloaded: unloaded.length,
    sentence: judgementSentence(groups),
    keptBytes: load.keptBytes,
    capBytes: load.capBytes,
    problems,
  };
}
