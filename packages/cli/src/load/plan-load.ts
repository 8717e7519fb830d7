import { HarnessError, defined } from "@assay/contract";
import { minPairs, minTimesFor, presets } from "@assay/load";
import type { ComparisonPreset, ConversationLoad, LoadBlocks, LoadPlan, LoadQuery } from "@assay/results";
import type { DefaultPlan } from "@assay/scenarios";
import { conversationRate, defaultPlan } from "@assay/scenarios";
import type { ChosenScenario } from "./chosen-scenario.ts";
import type { LoadOptions } from "./load-options.ts";
import type { LoadTargets } from "./load-targets.ts";

const maxLength = 32;

const shortName = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/gu, "-")
    .replaceAll(/^-+|-+$/gu, "")
    .slice(0, maxLength)
    .replace(/-+$/u, "") || "query";

/** Queries with distinct short names for tables. */
export function nameQueries(texts: readonly string[]): readonly LoadQuery[] {
  const used = new Map<string, number>();
  return texts.map((text) => {
    const name = shortName(text);
    const number = (used.get(name) ?? 0) + 1;
    used.set(name, number);
    return { name: number === 1 ? name : `${name}-q${number}`, text };
  });
}

export interface PlanParts {
  readonly options: LoadOptions & { readonly seed: number };
  readonly chosen: ChosenScenario;
  readonly targets: Pick<LoadTargets, "base" | "head" | "limits">;
  /** Id of the run. */
  readonly marker: string;
}

/** Default rate of a comparison of two instances on this machine. Elsewhere it is the default of the scenario. */
const localComparisonRate = 20;
/** Default rate of searches on two embedded servers. */
const embeddedSearchRate = 50;

function refuseConflicts({ options, chosen }: PlanParts): void {
  const { against, preset, decide, againstTokenFile, shape = "steady", warmup } = options;
  const comparing = { "--preset": preset, "--decide": decide, "--against-token-file": againstTokenFile };
  const alone = Object.entries(comparing).find(([, value]) => value !== undefined)?.[0];
  if (against === undefined && alone !== undefined) {
    throw new HarnessError("usage", `${alone} is for comparing two instances; name the head with --against`);
  }
  if (against === undefined) {
    return;
  }
  if (!chosen.facts.hasBlocks) {
    throw new HarnessError(
      "usage",
      `the scenario ${chosen.name} cannot compare two instances; use one with a single kind of request`,
    );
  }
  if (shape !== "steady" || warmup !== undefined) {
    const what = warmup === undefined ? `--shape ${shape}` : "--warmup";
    throw new HarnessError(
      "usage",
      `${what} does not go with --against: blocks have a steady rate, and begin with warm-up pairs`,
    );
  }
}

const chooseRate = ({ options, targets, chosen }: PlanParts, usual: DefaultPlan): number => {
  const isLocal = targets.limits.name === "local";
  const comparisonRate =
    targets.base.embedded && !chosen.facts.asksQuestions ? embeddedSearchRate : localComparisonRate;
  const rate = options.rate ?? (options.against !== undefined && isLocal ? comparisonRate : usual.ratePerSecond);
  return Math.min(rate, targets.limits.maxRatePerSecond);
};

/** Requests omitted between two blocks, so that most streams of one block have ended when the next begins. */
const countGapRequests = (ratePerSecond: number): number => Math.min(20, Math.max(1, Math.ceil(ratePerSecond * 0.2)));

/** Size of the smallest block with a median, with each query equally often. */
const minBlockSize = (queries: number): number => {
  const each = Math.max(1, queries);
  return Math.ceil(minTimesFor("first-match p50") / each) * each;
};

/** With fewer pairs every verdict is inconclusive, so `--decide` is refused before anything is sent. */
function refuseTooShortToDecide({ decide, duration }: LoadOptions, blocks: LoadBlocks, facts: BlockFacts): void {
  const { pairs, warmupPairs, gapRequests } = facts.usual;
  if (decide !== true || blocks.pairs >= Math.min(minPairs, pairs)) {
    return;
  }
  const requests = 2 * (minPairs + warmupPairs) * (minBlockSize(facts.queries) + gapRequests);
  const seconds = Math.ceil(requests / facts.ratePerSecond);
  throw new HarnessError(
    "usage",
    `--duration ${(duration ?? 0) / 1000}s is too short for a decision at ${facts.ratePerSecond}/s: it has time for ${blocks.pairs} of at least ${minPairs} pairs of blocks; give at least --duration ${seconds}s, a higher --rate, or no --decide`,
  );
}

interface BlockFacts {
  readonly usual: LoadBlocks;
  readonly queries: number;
  readonly ratePerSecond: number;
}

/**
 * Blocks that fill a given time, each with every query equally often. With enough time there are more pairs than in the
 * preset; with less, shorter blocks with a 95th percentile. With even less, as many short blocks as fit, since many
 * pairs tolerate a busy moment better than a few. Otherwise one pair, which decides nothing.
 */
function fitBlocks(requests: number, usual: LoadBlocks, queries: number): LoadBlocks {
  const { requestsPerBlock, gapRequests, warmupPairs } = usual;
  const each = Math.max(1, queries);
  const pairsOf = (length: number): number => Math.floor(requests / (2 * (length + gapRequests))) - warmupPairs;
  if (pairsOf(requestsPerBlock) >= minPairs) {
    return { ...usual, pairs: pairsOf(requestsPerBlock) };
  }
  const maxBlock = Math.floor(requests / (2 * (minPairs + warmupPairs))) - gapRequests;
  const even = maxBlock - (maxBlock % each);
  if (even >= minTimesFor("first-match p95")) {
    return { ...usual, pairs: minPairs, requestsPerBlock: even };
  }
  const short = minBlockSize(queries);
  return pairsOf(short) >= minPairs
    ? { ...usual, pairs: pairsOf(short), requestsPerBlock: short }
    : { ...usual, pairs: 1, warmupPairs: 0, requestsPerBlock: Math.max(1, Math.floor(requests / 2) - gapRequests) };
}

function planBlocks(
  { options, chosen }: PlanParts,
  usualPlan: DefaultPlan,
  ratePerSecond: number,
): LoadBlocks | undefined {
  if (options.against === undefined) {
    return undefined;
  }
  const { pairs, requestsPerBlock, warmupPairs } = presets[presetOf(options)];
  const usual = {
    pairs,
    warmupPairs,
    requestsPerBlock,
    gapRequests: countGapRequests(ratePerSecond),
    seed: options.seed,
  };
  if (options.duration === undefined) {
    return usual;
  }
  const asked = chosen.facts.searches ? usualPlan.queries : (usualPlan.conversation?.questions ?? []);
  const requests = Math.floor((options.duration * ratePerSecond) / 1000);
  const queries = (givenQueries(options) ?? asked).length;
  const blocks = fitBlocks(requests, usual, queries);
  refuseTooShortToDecide(options, blocks, { usual, queries, ratePerSecond });
  return blocks;
}

export const presetOf = ({ preset = "standard" }: Pick<LoadOptions, "preset">): ComparisonPreset => preset;

const blocksDurationMs = (blocks: LoadBlocks, ratePerSecond: number): number => {
  const { pairs, warmupPairs, requestsPerBlock, gapRequests } = blocks;
  return Math.ceil((2 * (pairs + warmupPairs) * (requestsPerBlock + gapRequests) * 1000) / ratePerSecond);
};

/** Upper bound on the questions of the plan, with a few more for rounding. */
function plannedQuestions(plan: Omit<LoadPlan, "conversation">): number {
  const { blocks, scenario, ratePerSecond, durationMs, warmupMs } = plan;
  if (blocks !== undefined) {
    return 2 * (blocks.pairs + blocks.warmupPairs) * blocks.requestsPerBlock + 2;
  }
  const perSecond = scenario === "mixed" ? conversationRate(ratePerSecond) : ratePerSecond;
  return Math.ceil((perSecond * (durationMs + warmupMs)) / 1000) + 2;
}

const chooseInterface = (
  name: string | undefined,
  usual: ConversationLoad["interface"],
): ConversationLoad["interface"] => (name === "legacy" || name === "current" ? name : usual);

function planBudget(planned: number, { options, targets }: PlanParts): number {
  const { name, questions } = targets.limits;
  if (questions === 0) {
    throw new HarnessError(
      "usage",
      `this scenario asks questions, which cost, and this target allows none (limits ${name}); allow some with --questions`,
    );
  }
  if (planned > questions) {
    const budget = options.questions === undefined ? `the limits ${name} allow` : `--questions allows`;
    throw new HarnessError(
      "usage",
      `the plan asks up to ${planned} questions, more than the ${questions} that ${budget}; give --questions ${planned}, a lower --rate or a shorter --duration`,
    );
  }
  return planned;
}

function planConversation(
  parts: PlanParts,
  usual: DefaultPlan,
  plan: Omit<LoadPlan, "conversation">,
): ConversationLoad | undefined {
  const { options, chosen, marker } = parts;
  // A user's scenario asks questions if an interface or a budget is given.
  const isAsking =
    chosen.facts.asksQuestions ||
    (chosen.scenario !== chosen.name && (options.interface !== undefined || options.questions !== undefined));
  const asking = usual.conversation ?? defaultPlan("conversation-poll").conversation;
  if (!isAsking || asking === undefined) {
    return undefined;
  }
  return {
    ...asking,
    interface: chooseInterface(options.interface, asking.interface),
    pollIntervalMs: options.pollInterval ?? asking.pollIntervalMs,
    ...defined({ pollers: options.pollers ?? asking.pollers }),
    questions: chosen.facts.searches ? asking.questions : (givenQueries(options) ?? asking.questions),
    marker,
    budget: planBudget(plannedQuestions(plan), parts),
  };
}

const givenQueries = ({ query }: LoadOptions): readonly LoadQuery[] | undefined =>
  query === undefined || query.length === 0 ? undefined : nameQueries(query);

function refuseUselessFlags({ options, chosen }: PlanParts, plan: LoadPlan): void {
  const isOwn = chosen.scenario !== chosen.name;
  const asking = {
    "--interface": options.interface,
    "--poll-interval": options.pollInterval,
    "--pollers": options.pollers,
  };
  const useless = Object.entries(asking).find(([, value]) => value !== undefined)?.[0];
  if (plan.conversation === undefined && !isOwn && useless !== undefined) {
    throw new HarnessError("usage", `${useless} is for scenarios that ask questions, and ${chosen.name} does not`);
  }
}

/** Durations of the plan; with blocks, those of the blocks. */
function planDurations(parts: PlanParts, usual: DefaultPlan): Pick<LoadPlan, "durationMs" | "warmupMs" | "blocks"> {
  const { duration = usual.durationMs, warmup = usual.warmupMs } = parts.options;
  const ratePerSecond = chooseRate(parts, usual);
  const blocks = planBlocks(parts, usual, ratePerSecond);
  return blocks === undefined
    ? { durationMs: duration, warmupMs: warmup }
    : { durationMs: blocksDurationMs(blocks, ratePerSecond), warmupMs: 0, blocks };
}

function planSearches(parts: PlanParts, usual: DefaultPlan): Omit<LoadPlan, "conversation"> {
  const { options, chosen, targets } = parts;
  const { conversation: _asking, ...searching } = usual;
  return {
    ...searching,
    ...planDurations(parts, usual),
    scenario: chosen.name,
    targets: { base: targets.base.url, ...(targets.head === undefined ? {} : { head: targets.head.url }) },
    ratePerSecond: chooseRate(parts, usual),
    queries: chosen.facts.searches ? (givenQueries(options) ?? usual.queries) : [],
    maxVus: options.maxVus ?? usual.maxVus,
  };
}

/** Plans a run. Fails with a `HarnessError` for conflicting options and for more than the limits allow. */
export function planLoad(parts: PlanParts): LoadPlan {
  refuseConflicts(parts);
  const usual = defaultPlan(parts.chosen.like, parts.options.shape);
  const plan = planSearches(parts, usual);
  const conversation = planConversation(parts, usual, plan);
  const whole: LoadPlan = { ...plan, ...defined({ conversation }) };
  refuseUselessFlags(parts, whole);
  return whole;
}
