import { HarnessError, defined } from "@assay/contract";
import { minPairs, computeMinTimes, presets } from "@assay/load";
import type { ComparisonPreset, ConversationLoad, LoadBlocks, LoadPlan, LoadQuery } from "@assay/results";
import type { DefaultPlan } from "@assay/scenarios";
import { computeConversationRate, createDefaultPlan } from "@assay/scenarios";
import type { ChosenScenario } from "./resolve-scenario.ts";
import type { LoadOptions } from "./load-options.ts";
import type { LoadTargets } from "./load-targets.ts";

const maxNameLength = 32;

const toShortName = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/gu, "-")
    .replaceAll(/^-+|-+$/gu, "")
    .slice(0, maxNameLength)
    .replace(/-+$/u, "") || "query";

/** Gives queries distinct short names for tables. */
export function nameQueries(queryTexts: readonly string[]): readonly LoadQuery[] {
  const useCounts = new Map<string, number>();
  return queryTexts.map((text) => {
    const name = toShortName(text);
    const number = (useCounts.get(name) ?? 0) + 1;
    useCounts.set(name, number);
    return { name: number === 1 ? name : `${name}-q${number}`, text };
  });
}

export interface PlanParts {
  readonly options: LoadOptions & { readonly seed: number };
  readonly chosenScenario: ChosenScenario;
  readonly targets: Pick<LoadTargets, "base" | "head" | "limits">;
  /** Id of the run. */
  readonly marker: string;
}

/** Default rate of a comparison of two instances on this machine. For other instances, the scenario sets the default. */
const localComparisonRate = 20;
/** Default rate of searches on two embedded servers. */
const embeddedSearchRate = 50;

function rejectConflicts({ options, chosenScenario }: PlanParts): void {
  const { against, preset, decide, againstTokenFile, shape = "steady", warmup } = options;
  const comparisonFlags = { "--preset": preset, "--decide": decide, "--against-token-file": againstTokenFile };
  const misplacedFlag = Object.entries(comparisonFlags).find(([, value]) => value !== undefined)?.[0];
  if (against === undefined && misplacedFlag !== undefined) {
    throw new HarnessError("usage", `${misplacedFlag} is for comparing two instances; set the head with --against`);
  }
  if (against === undefined) {
    return;
  }
  if (!chosenScenario.facts.hasBlocks) {
    throw new HarnessError(
      "usage",
      `the scenario ${chosenScenario.name} cannot compare two instances; use one with a single kind of request`,
    );
  }
  if (shape !== "steady" || warmup !== undefined) {
    const flag = warmup === undefined ? `--shape ${shape}` : "--warmup";
    throw new HarnessError(
      "usage",
      `${flag} does not go with --against: blocks have a steady rate, and begin with warm-up pairs`,
    );
  }
}

const chooseRate = ({ options, targets, chosenScenario }: PlanParts, scenarioDefaults: DefaultPlan): number => {
  const isLocal = targets.limits.name === "local";
  const comparisonRate =
    targets.base.embedded && !chosenScenario.facts.asksQuestions ? embeddedSearchRate : localComparisonRate;
  const rate =
    options.rate ?? (options.against !== undefined && isLocal ? comparisonRate : scenarioDefaults.ratePerSecond);
  return Math.min(rate, targets.limits.maxRatePerSecond);
};

/** Counts the requests to omit between two blocks, so that most streams of one block have ended when the next begins. */
const countGapRequests = (ratePerSecond: number): number => Math.min(20, Math.max(1, Math.ceil(ratePerSecond * 0.2)));

/** Returns the size of the smallest block that has a median and contains each query equally often. */
const computeMinBlockSize = (queryCount: number): number =>
  Math.ceil(computeMinTimes("first-match p50") / queryCount) * queryCount;

/** Rejects `--decide` before any request if there are so few pairs that every verdict would be inconclusive. */
function rejectTooShortToDecide({ decide, duration }: LoadOptions, blocks: LoadBlocks, facts: BlockFacts): void {
  const { pairs, warmupPairs, gapRequests } = facts.defaultBlocks;
  if (decide !== true || blocks.pairs >= Math.min(minPairs, pairs)) {
    return;
  }
  const requestCount = 2 * (minPairs + warmupPairs) * (computeMinBlockSize(facts.queryCount) + gapRequests);
  const seconds = Math.ceil(requestCount / facts.ratePerSecond);
  throw new HarnessError(
    "usage",
    `--duration ${(duration ?? 0) / 1000}s is too short for a decision at ${facts.ratePerSecond}/s: it has time for ${blocks.pairs} of at least ${minPairs} pairs of blocks; use at least --duration ${seconds}s, a higher --rate, or no --decide`,
  );
}

interface BlockFacts {
  readonly defaultBlocks: LoadBlocks;
  /** At least 1. */
  readonly queryCount: number;
  readonly ratePerSecond: number;
}

/**
 * Fits blocks into the time for `requestCount` requests, each with every query equally often:
 * 1. With enough time, blocks of the preset's size, as many pairs as fit.
 * 2. With less, the minimum number of pairs, of shorter blocks that still have a 95th percentile.
 * 3. With even less, as many minimal blocks as fit, because many pairs tolerate a busy moment better than a few.
 * 4. Otherwise one pair, which decides nothing.
 */
function fitBlocks(requestCount: number, defaultBlocks: LoadBlocks, queryCount: number): LoadBlocks {
  const { requestsPerBlock, gapRequests, warmupPairs } = defaultBlocks;
  const countPairs = (blockSize: number): number =>
    Math.floor(requestCount / (2 * (blockSize + gapRequests))) - warmupPairs;
  if (countPairs(requestsPerBlock) >= minPairs) {
    return { ...defaultBlocks, pairs: countPairs(requestsPerBlock) };
  }
  const maxBlockSize = Math.floor(requestCount / (2 * (minPairs + warmupPairs))) - gapRequests;
  const evenBlockSize = maxBlockSize - (maxBlockSize % queryCount);
  if (evenBlockSize >= computeMinTimes("first-match p95")) {
    return { ...defaultBlocks, pairs: minPairs, requestsPerBlock: evenBlockSize };
  }
  const minBlockSize = computeMinBlockSize(queryCount);
  return countPairs(minBlockSize) >= minPairs
    ? { ...defaultBlocks, pairs: countPairs(minBlockSize), requestsPerBlock: minBlockSize }
    : {
        ...defaultBlocks,
        pairs: 1,
        warmupPairs: 0,
        requestsPerBlock: Math.max(1, Math.floor(requestCount / 2) - gapRequests),
      };
}

function planBlocks(
  { options, chosenScenario }: PlanParts,
  scenarioDefaults: DefaultPlan,
  ratePerSecond: number,
): LoadBlocks | undefined {
  if (options.against === undefined) {
    return undefined;
  }
  const { pairs, requestsPerBlock, warmupPairs } = presets[selectPreset(options)];
  const defaultBlocks = {
    pairs,
    warmupPairs,
    requestsPerBlock,
    gapRequests: countGapRequests(ratePerSecond),
    seed: options.seed,
  };
  if (options.duration === undefined) {
    return defaultBlocks;
  }
  const defaultQueries = chosenScenario.facts.searches
    ? scenarioDefaults.queries
    : (scenarioDefaults.conversation?.questions ?? []);
  const requestCount = Math.floor((options.duration * ratePerSecond) / 1000);
  const queryCount = Math.max(1, (parseQueries(options) ?? defaultQueries).length);
  const blocks = fitBlocks(requestCount, defaultBlocks, queryCount);
  rejectTooShortToDecide(options, blocks, { defaultBlocks, queryCount, ratePerSecond });
  return blocks;
}

export const selectPreset = ({ preset = "standard" }: Pick<LoadOptions, "preset">): ComparisonPreset => preset;

const computeBlocksDurationMs = (blocks: LoadBlocks, ratePerSecond: number): number => {
  const { pairs, warmupPairs, requestsPerBlock, gapRequests } = blocks;
  return Math.ceil((2 * (pairs + warmupPairs) * (requestsPerBlock + gapRequests) * 1000) / ratePerSecond);
};

/** Returns an upper bound on the number of questions in the plan, with two more for rounding. */
function countPlannedQuestions(plan: Omit<LoadPlan, "conversation">): number {
  const { blocks, scenario, ratePerSecond, durationMs, warmupMs } = plan;
  if (blocks !== undefined) {
    return 2 * (blocks.pairs + blocks.warmupPairs) * blocks.requestsPerBlock + 2;
  }
  const perSecond = scenario === "mixed" ? computeConversationRate(ratePerSecond) : ratePerSecond;
  return Math.ceil((perSecond * (durationMs + warmupMs)) / 1000) + 2;
}

const chooseInterface = (
  name: string | undefined,
  defaultInterface: ConversationLoad["interface"],
): ConversationLoad["interface"] => (name === "legacy" || name === "current" ? name : defaultInterface);

function planBudget(plannedQuestions: number, { options, targets }: PlanParts): number {
  const { name, questions } = targets.limits;
  if (questions === 0) {
    throw new HarnessError(
      "usage",
      `this scenario asks questions, which cost, and this target allows none (limits ${name}); allow some with --questions`,
    );
  }
  if (plannedQuestions > questions) {
    const budget = options.questions === undefined ? `the limits ${name} allow` : `--questions allows`;
    throw new HarnessError(
      "usage",
      `the plan asks up to ${plannedQuestions} questions, more than the ${questions} that ${budget}; use --questions ${plannedQuestions}, a lower --rate or a shorter --duration`,
    );
  }
  return plannedQuestions;
}

function planConversation(
  parts: PlanParts,
  scenarioDefaults: DefaultPlan,
  plan: Omit<LoadPlan, "conversation">,
): ConversationLoad | undefined {
  const { options, chosenScenario, marker } = parts;
  // A user's scenario asks questions if an interface or a budget is set.
  const asksQuestions =
    chosenScenario.facts.asksQuestions ||
    (chosenScenario.source !== chosenScenario.name &&
      (options.interface !== undefined || options.questions !== undefined));
  const defaultConversation = scenarioDefaults.conversation ?? createDefaultPlan("conversation-poll").conversation;
  if (!asksQuestions || defaultConversation === undefined) {
    return undefined;
  }
  return {
    ...defaultConversation,
    interface: chooseInterface(options.interface, defaultConversation.interface),
    pollIntervalMs: options.pollInterval ?? defaultConversation.pollIntervalMs,
    ...defined({ pollers: options.pollers ?? defaultConversation.pollers }),
    questions: chosenScenario.facts.searches
      ? defaultConversation.questions
      : (parseQueries(options) ?? defaultConversation.questions),
    marker,
    budget: planBudget(countPlannedQuestions(plan), parts),
  };
}

const parseQueries = ({ query }: LoadOptions): readonly LoadQuery[] | undefined =>
  query === undefined || query.length === 0 ? undefined : nameQueries(query);

function rejectUselessFlags({ options, chosenScenario }: PlanParts, plan: LoadPlan): void {
  const isUserFile = chosenScenario.source !== chosenScenario.name;
  const conversationFlags = {
    "--interface": options.interface,
    "--poll-interval": options.pollInterval,
    "--pollers": options.pollers,
  };
  const uselessFlag = Object.entries(conversationFlags).find(([, value]) => value !== undefined)?.[0];
  if (plan.conversation === undefined && !isUserFile && uselessFlag !== undefined) {
    throw new HarnessError(
      "usage",
      `${uselessFlag} is for scenarios that ask questions, and ${chosenScenario.name} does not`,
    );
  }
}

/** Returns the durations of the plan. With blocks, they follow from the blocks. */
function planDurations(
  parts: PlanParts,
  scenarioDefaults: DefaultPlan,
): Pick<LoadPlan, "durationMs" | "warmupMs" | "blocks"> {
  const { duration = scenarioDefaults.durationMs, warmup = scenarioDefaults.warmupMs } = parts.options;
  const ratePerSecond = chooseRate(parts, scenarioDefaults);
  const blocks = planBlocks(parts, scenarioDefaults, ratePerSecond);
  return blocks === undefined
    ? { durationMs: duration, warmupMs: warmup }
    : { durationMs: computeBlocksDurationMs(blocks, ratePerSecond), warmupMs: 0, blocks };
}

function planSearches(parts: PlanParts, scenarioDefaults: DefaultPlan): Omit<LoadPlan, "conversation"> {
  const { options, chosenScenario, targets } = parts;
  const { conversation: _conversation, ...defaults } = scenarioDefaults;
  return {
    ...defaults,
    ...planDurations(parts, scenarioDefaults),
    scenario: chosenScenario.name,
    targets: { base: targets.base.url, ...(targets.head === undefined ? {} : { head: targets.head.url }) },
    ratePerSecond: chooseRate(parts, scenarioDefaults),
    queries: chosenScenario.facts.searches ? (parseQueries(options) ?? scenarioDefaults.queries) : [],
    maxVus: options.maxVus ?? scenarioDefaults.maxVus,
  };
}

/** Plans a run. Throws a `HarnessError` for conflicting options, and for a plan that exceeds the limits. */
export function planLoad(parts: PlanParts): LoadPlan {
  rejectConflicts(parts);
  const scenarioDefaults = createDefaultPlan(parts.chosenScenario.defaultsFrom, parts.options.shape);
  const plan = planSearches(parts, scenarioDefaults);
  const conversation = planConversation(parts, scenarioDefaults, plan);
  const fullPlan: LoadPlan = { ...plan, ...defined({ conversation }) };
  rejectUselessFlags(parts, fullPlan);
  return fullPlan;
}
