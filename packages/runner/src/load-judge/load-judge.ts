import { defined, isRuleId, ruleIds, type LoadSide } from "@assay/contract";
import type { RuleId } from "@assay/contract";
import { visibleText } from "@assay/evidence";
import type { KeptExchange, RecordedExchange } from "@assay/evidence";
import { judgedGroups, describeJudgement, mergeLoadRules, ruleStanding, mergeKnownFailures } from "@assay/results";
import type {
  FailedLoadRule,
  IncompleteReason,
  JudgedGroup,
  KnownLoadRule,
  LoadDependence,
  LoadJudgement,
  LoadRule,
  RuleVerdict,
} from "@assay/results";
import { mergeOutcomes } from "@assay/rules";
import type { RuleOutcome } from "@assay/rules";
import { applyKnownLoadFailures, type KnownLoadFailures } from "../known-failures/known-load-failures.ts";
import type { JudgedInterface } from "../plan/select-rules.ts";
import { findAlertText } from "../judge/alert-text.ts";
import { addOutcomes, type BatchJudge, KeptFileJudge, createCounts, type Outcomes } from "./kept-file-judge.ts";
import {
  judgeLoadCalls,
  isOfInterface,
  classifyLoadExchange,
  type LoadRules,
  selectLoadRules,
  loadTarget,
  judgeLoadStreams,
} from "./load-rules.ts";
import { ProofSample } from "./proof-sample.ts";
import { toRecordedCall } from "../judge/recorded-call.ts";
import { ApiWatch } from "../judge/root-reason.ts";
import { createRuleVerdicts } from "../judge/rule-verdicts.ts";
import { addProof, describeProofs } from "../judge/with-proof.ts";

/** Counts of one kind of exchange that `k6/x/assay` did not write to disk. */
export interface ExchangeCount {
  readonly sent: number;
  readonly thinnedOut: number;
  readonly lost: number;
}

/** Exchanges sent without load, by target. */
export type UnloadedExchanges = Readonly<Partial<Record<LoadSide, readonly RecordedExchange[]>>>;

export interface LoadToJudge {
  /** Files of kept exchanges. */
  readonly files: readonly string[];
  readonly interfaces: ReadonlySet<JudgedInterface>;
  /** Counts by kind. A kind without counts only has the exchanges on disk. */
  readonly counts: Readonly<Partial<Record<JudgedGroup["group"], ExchangeCount>>>;
  readonly keptBytes: number;
  readonly capBytes: number;
  readonly problems: readonly string[];
  /** The targets: `base`, and `head` in a paired comparison. */
  readonly sides: readonly LoadSide[];
  /** Searches and conversations before and after the load, by target. */
  readonly unloaded?: UnloadedExchanges;
  /** Known failures. Default: none. */
  readonly knownFailures?: KnownLoadFailures;
}

/**
 * Combines outcomes of complete and interrupted exchanges. If a rule has complete exchanges, they determine its verdict, and
 * the number of interrupted ones is reported. Interrupted exchanges alone are not sufficient for a pass.
 */
function combineOutcomes(
  completeOutcome: RuleOutcome | undefined,
  interruptedOutcome: RuleOutcome | undefined,
): RuleOutcome | undefined {
  const mergedOutcome =
    completeOutcome === undefined || interruptedOutcome === undefined
      ? (completeOutcome ?? interruptedOutcome)
      : mergeOutcomes(completeOutcome, interruptedOutcome);
  const isEnough =
    completeOutcome !== undefined && (completeOutcome.observations > 0 || interruptedOutcome?.observations === 0);
  if (mergedOutcome?.blockedBy?.kind !== "transport" || !isEnough) {
    return mergedOutcome;
  }
  const { blockedBy: _incomplete, ...unblocked } = mergedOutcome;
  return unblocked;
}

/** The merged results of all files for one target. */
interface JudgedExchanges {
  readonly outcomes: ReadonlyMap<RuleId, RuleOutcome>;
  readonly sample: ProofSample;
  readonly keptById: ReadonlyMap<string, KeptExchange>;
}

function mergeJudges(judges: readonly BatchJudge[]): JudgedExchanges {
  const [complete, interrupted]: [Outcomes, Outcomes] = [new Map(), new Map()];
  const sample = new ProofSample();
  for (const judge of judges) {
    addOutcomes(complete, judge.outcomes);
    addOutcomes(interrupted, judge.interruptedOutcomes);
    sample.addAll(judge.sample);
  }
  const outcomes = new Map<RuleId, RuleOutcome>();
  for (const id of new Set([...complete.keys(), ...interrupted.keys()])) {
    const outcome = combineOutcomes(complete.get(id), interrupted.get(id));
    if (outcome !== undefined) {
      outcomes.set(id, outcome);
    }
  }
  return { outcomes, sample, keptById: new Map(judges.flatMap((judge) => [...judge.citedExchanges])) };
}

/** Returns whether a failed rule also fails without load, or `unknown` if it was not tested without load. */
function findDependence(rule: RuleId, unloaded: ReadonlyMap<RuleId, RuleOutcome>): LoadDependence {
  const outcome = unloaded.get(rule);
  if (outcome?.findings.some(({ kind }) => kind === "violation") === true) {
    return "without-load-too";
  }
  return outcome === undefined || outcome.observations === 0 ? "unknown" : "under-load";
}

function judgeUnloaded(
  { streams, calls }: LoadRules,
  exchanges: readonly RecordedExchange[],
): ReadonlyMap<RuleId, RuleOutcome> {
  const searches = exchanges.filter(({ record }) => record.interface === "stream");
  const conversations = exchanges.filter(
    (exchange) => exchange.record.interface !== "stream" && classifyLoadExchange(exchange) !== "nothing",
  );
  return new Map([
    ...judgeLoadStreams(streams, searches).outcomes,
    ...judgeLoadCalls(
      calls,
      conversations.map((exchange) => toRecordedCall(exchange)),
    ),
  ]);
}

const sentAtMicros = (kept: KeptExchange | undefined): number => kept?.exchange.record.times.sentAtMicros ?? 0;

function findBrokenRules(
  verdicts: readonly RuleVerdict[],
  keptById: JudgedExchanges["keptById"],
  { unloaded, side }: { readonly unloaded: ReadonlyMap<RuleId, RuleOutcome>; readonly side: LoadSide | undefined },
): readonly FailedLoadRule[] {
  return verdicts.flatMap(({ rule, title, verdict, known }): readonly FailedLoadRule[] => {
    if (verdict.outcome !== "failed" || known !== undefined || !isRuleId(rule)) {
      return [];
    }
    const keptFindings = verdict.findings.map((finding) => ({
      finding,
      kept: keptById.get(finding.exchange ?? ""),
    }));
    const [first = { finding: verdict.findings[0], kept: undefined }] = keptFindings.toSorted(
      (a, b) => sentAtMicros(a.kept) - sentAtMicros(b.kept),
    );
    const { phase = "measure", query = "", inFlight = 0, ratePerSecond = 0 } = first.kept?.load ?? {};
    return [
      {
        rule,
        title,
        ...defined({ side }),
        violations: verdict.findings.length + verdict.moreFindings,
        message: first.finding.message,
        exchange: first.finding.exchange ?? "",
        atSeconds: Math.floor(sentAtMicros(first.kept) / 1e6),
        phase,
        query: visibleText(query, 200),
        inFlight,
        ratePerSecond,
        dependence: findDependence(rule, unloaded),
      },
    ];
  });
}

const verdictReason = ({ verdict }: RuleVerdict): string | undefined => {
  switch (verdict.outcome) {
    case "failed":
    case "passed":
      return undefined;
    case "warned":
      return verdict.findings[0].message;
    case "blocked":
      return verdict.missing;
    case "not-tested":
    case "not-applicable":
      return verdict.reason;
  }
};

const toKnownRules = (
  { rule, title, verdict, known }: RuleVerdict,
  side: LoadSide | undefined,
): readonly KnownLoadRule[] => {
  if (known === undefined) {
    return [];
  }
  const violations =
    verdict.outcome === "failed" || verdict.outcome === "warned"
      ? { violations: verdict.findings.length + verdict.moreFindings, message: verdict.findings[0].message }
      : {};
  return [{ rule, title, ...defined({ side }), known, ...violations }];
};

const toLoadRule = (verdict: RuleVerdict): LoadRule => {
  const outcome = ruleStanding(verdict);
  const isConfirmed = outcome === "passed" && verdict.proof !== undefined;
  return {
    rule: verdict.rule,
    outcome,
    ...(isConfirmed ? { confirmed: true } : {}),
    ...defined({ reason: verdictReason(verdict) }),
  };
};

/** The results of one target under load. */
interface JudgedSide {
  readonly rules: readonly LoadRule[];
  readonly brokenRules: readonly FailedLoadRule[];
  readonly knownRules: readonly KnownLoadRule[];
  readonly mistakes: readonly string[];
  readonly notes: readonly string[];
  readonly notTheApi: IncompleteReason | undefined;
  readonly notAlwaysTheApi: IncompleteReason | undefined;
}

/** Reports whether the API answered the searches, or the calls, of a target, under load and without it. */
function createApiWatch(
  group: JudgedGroup["group"],
  judges: readonly BatchJudge[],
  unloaded: readonly RecordedExchange[],
): ApiWatch {
  const watch = new ApiWatch();
  judges.forEach(({ api }) => watch.merge(api[group]));
  const isOfGroup = ({ record }: RecordedExchange): boolean => (record.interface === "stream") === (group === "search");
  unloaded.filter(isOfGroup).forEach((exchange) => watch.observe(exchange));
  return watch;
}

/** Removes the outcomes of `excludedRules`, because responses that are not from the API are not evidence about them. */
function removeRules(exchanges: JudgedExchanges, excludedRules: readonly { readonly id: RuleId }[]): JudgedExchanges {
  const excludedIds: ReadonlySet<RuleId> = new Set(excludedRules.map(({ id }) => id));
  return { ...exchanges, outcomes: new Map([...exchanges.outcomes].filter(([id]) => !excludedIds.has(id))) };
}

function judgeSide(
  load: LoadToJudge,
  rules: LoadRules,
  { side, judges }: { side: LoadSide; judges: Judges },
): JudgedSide {
  const sideJudges = judges.map(({ sides }) => sides[side]);
  const unloadedExchanges = load.unloaded?.[side] ?? [];
  const [searchWatch, callWatch] = [
    createApiWatch("search", sideJudges, unloadedExchanges),
    createApiWatch("conversation", sideJudges, unloadedExchanges),
  ];
  const [noStreamReason, noCallReason] = [searchWatch.findReason(), callWatch.findReason()];
  const { outcomes, sample, keptById } = removeRules(mergeJudges(sideJudges), [
    ...(noStreamReason === undefined ? [] : rules.streams),
    ...(noCallReason === undefined ? [] : rules.calls),
  ]);
  const judgedRuleIds: readonly RuleId[] = [...rules.streams, ...rules.calls].map(({ id }) => id);
  const verdictsWithoutProof = createRuleVerdicts({
    outcomes,
    settings: { rules: judgedRuleIds, mustTest: [], strict: false, ...loadTarget },
    lookup: new Map([...keptById].map(([id, { exchange }]) => [id, exchange])),
  });
  const passedRules = verdictsWithoutProof
    .filter(({ verdict }) => verdict.outcome === "passed")
    .map(({ rule }) => rule);
  const proofs = describeProofs(sample.findProofs(rules, new Set(passedRules)));
  const verdictsWithProof = verdictsWithoutProof.map((verdict) => addProof(verdict, proofs));
  const { verdicts, mistakes, notes } = applyKnownLoadFailures(verdictsWithProof, load.knownFailures, side);
  const unloaded = judgeUnloaded(rules, unloadedExchanges);
  // The name of a single target is omitted.
  const sideToName = load.sides.length > 1 ? side : undefined;
  return {
    rules: verdicts.map((verdict) => toLoadRule(verdict)),
    brokenRules: findBrokenRules(verdicts, keptById, { unloaded, side: sideToName }),
    knownRules: verdicts.flatMap((verdict) => toKnownRules(verdict, sideToName)),
    mistakes,
    notes,
    notTheApi: noStreamReason ?? noCallReason,
    notAlwaysTheApi: searchWatch.findPartialReason() ?? callWatch.findPartialReason(),
  };
}

type Judges = readonly KeptFileJudge[];

function countGroups(judges: Judges, counts: LoadToJudge["counts"]): readonly JudgedGroup[] {
  const totals = createCounts();
  for (const { sides } of judges) {
    for (const group of judgedGroups) {
      for (const completeness of ["judged", "brokenOff", "unanswered"] as const) {
        totals[group][completeness] += sides.base.counts[group][completeness] + sides.head.counts[group][completeness];
      }
    }
  }
  return judgedGroups.flatMap((group) => {
    const { judged, brokenOff, unanswered } = totals[group];
    const keptCount = judged + brokenOff + unanswered;
    const { sent, thinnedOut, lost } = counts[group] ?? { sent: keptCount, thinnedOut: 0, lost: 0 };
    return sent === 0 && keptCount === 0
      ? []
      : [{ group, sent: Math.max(sent, keptCount), judged, brokenOff, unanswered, thinnedOut, lost }];
  });
}

/** Returns the HTTP versions of all responses, or undefined if none is known. */
function listHttpVersions(judges: Judges): LoadJudgement["httpVersions"] {
  const versions = judges.flatMap(({ sides: { base, head } }) => [...base.httpVersions, ...head.httpVersions]);
  return versions.length === 0 ? undefined : [...new Set(versions)].toSorted();
}

function concludeJudgement(load: LoadToJudge, rules: LoadRules, judges: Judges): Omit<LoadJudgement, "problems"> {
  const sides = load.sides.map((side) => judgeSide(load, rules, { side, judges }));
  const mergedRules = mergeLoadRules(sides.map((side) => side.rules));
  const byId = new Map(mergedRules.map((rule) => [rule.rule, rule]));
  const groups = countGroups(judges, load.counts);
  return {
    groups,
    rules: ruleIds
      .filter((id) => isOfInterface(id, load.interfaces))
      .map((rule) => byId.get(rule) ?? { rule, outcome: "compares-searches" }),
    broken: sides.flatMap((side) => side.brokenRules),
    ...mergeKnownFailures({
      known: sides.flatMap((side) => side.knownRules),
      knownFailureMistakes: sides.flatMap((side) => side.mistakes),
      knownFailureNotes: sides.flatMap((side) => side.notes),
    }),
    ...defined({
      httpVersions: listHttpVersions(judges),
      alert: findAlertText([...(load.unloaded?.base ?? []), ...(load.unloaded?.head ?? [])]),
      notTheApi: sides.flatMap((side) => side.notTheApi ?? [])[0],
      notAlwaysTheApi: sides.flatMap((side) => side.notAlwaysTheApi ?? [])[0],
    }),
    unloaded: load.sides.reduce((sum, side) => sum + (load.unloaded?.[side]?.length ?? 0), 0),
    sentence: describeJudgement(groups),
    keptBytes: load.keptBytes,
    capBytes: load.capBytes,
  };
}

/** Maximum number of entries judged in one step. */
const maxEntriesPerStep = 500;

/** Judges the exchanges of a load while it runs and after it ends. */
export interface LoadJudge {
  /**
   * Judges the new exchanges in `files` and drops files that no longer exist. Returns true if there may be more to read
   * immediately.
   */
  follow(files: readonly string[]): boolean;
  /** Returns the judgement of a finished load. Throws a system error if a file cannot be read. */
  finish(load: LoadToJudge): LoadJudgement;
  /** Closes all files. */
  close(): void;
}

/**
 * Judges the exchanges of a load with every rule that needs only one exchange or the history of one conversation. Each
 * target is judged separately. Files are read in batches, so that memory use does not depend on their size. A rule that
 * passes is confirmed on a sample of the exchanges, otherwise it is not tested. Missing exchanges are reported. The same
 * files yield the same judgement, with or without calls of `follow`.
 */
export function createLoadJudge(interfaces: LoadToJudge["interfaces"]): LoadJudge {
  const rules = selectLoadRules(interfaces);
  const judges = new Map<string, KeptFileJudge>();
  const createFileJudge = (path: string): KeptFileJudge => {
    const judge = judges.get(path) ?? new KeptFileJudge(path, rules);
    judges.set(path, judge);
    return judge;
  };
  /** Opens a file. Returns undefined if its sampling just removed it. */
  const tryCreateFileJudge = (path: string): KeptFileJudge | undefined => {
    try {
      return createFileJudge(path);
    } catch {
      return undefined;
    }
  };
  const closeFiles = (shouldClose: (path: string) => boolean): void => {
    for (const [path, judge] of judges) {
      if (shouldClose(path)) {
        judge.close();
        judges.delete(path);
      }
    }
  };
  return {
    follow(files) {
      closeFiles((path) => !files.includes(path));
      return files.map((path) => tryCreateFileJudge(path)?.follow(maxEntriesPerStep)).includes(true);
    },
    finish(load) {
      closeFiles((path) => !load.files.includes(path));
      // Results are added in file order.
      const orderedJudges = load.files.map((path) => createFileJudge(path));
      const problems = orderedJudges.flatMap((judge) => judge.finish());
      const crashes = new Set(orderedJudges.flatMap(({ sides: { base, head } }) => [...base.crashes, ...head.crashes]));
      return {
        ...concludeJudgement(load, rules, orderedJudges),
        problems: [...load.problems, ...problems, ...crashes],
      };
    },
    close: () => closeFiles(() => true),
  };
}

/** Judges a finished load. See `LoadJudge.finish`. */
export function judgeLoad(load: LoadToJudge): LoadJudgement {
  const judge = createLoadJudge(load.interfaces);
  try {
    return judge.finish(load);
  } finally {
    judge.close();
  }
}
