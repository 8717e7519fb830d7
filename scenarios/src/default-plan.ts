import type { ConversationLoad, LoadPlan, LoadQuery, LoadShape } from "@assay/results";
import { type ScenarioName, getScenarioFacts } from "./scenario-names.ts";

/** A plan without targets and marker, which only a run has. */
export interface DefaultPlan extends Omit<LoadPlan, "targets" | "conversation" | "blocks"> {
  readonly conversation?: Omit<ConversationLoad, "marker">;
}

const createQuery = (name: string, text = name): LoadQuery => ({ name, text });

/**
 * Words found in most code. There are eight, so that blocks of 200 and of 1000 requests contain each equally often. A few
 * results are enough to time the first match, and cost the target little.
 */
const searchQueries: readonly LoadQuery[] = [
  "error",
  "import",
  "return",
  "config",
  "test",
  "value",
  "name",
  "default",
].map((word) => createQuery(word, `${word} count:50`));

const exhaustiveSearches: readonly LoadQuery[] = [
  createQuery("return-all", "return count:all"),
  createQuery("import-all", "import count:all"),
  createQuery("files-all", "type:path . count:all"),
  createQuery("error-all", "error count:all"),
];

const questions: readonly LoadQuery[] = [
  createQuery("errors", "How are errors handled and reported?"),
  createQuery("configuration", "Where is the configuration read, and what can be configured?"),
  createQuery("tests", "How are the tests organised?"),
  createQuery("entry-point", "What happens when the program starts?"),
];

/** Returns the rate of conversations in `mixed`: a tenth of the searches, at least one every ten seconds. */
export const computeConversationRate = (searchesPerSecond: number): number => Math.max(searchesPerSecond / 10, 0.1);

const minuteMs = 60_000;

interface Pace {
  readonly ratePerSecond: number;
  readonly timeoutMs: number;
}

const defaultPaces: Readonly<Record<ScenarioName, Pace>> = {
  "search-first-match": { ratePerSecond: 2, timeoutMs: minuteMs },
  "search-exhaustive": { ratePerSecond: 0.5, timeoutMs: 2 * minuteMs },
  "conversation-poll": { ratePerSecond: 0.2, timeoutMs: 30_000 },
  mixed: { ratePerSecond: 2, timeoutMs: minuteMs },
};

interface PlanTimes {
  readonly durationMs: number;
  readonly warmupMs: number;
}

function createDefaultConversation(name: ScenarioName, ratePerSecond: number, { durationMs, warmupMs }: PlanTimes) {
  const questionsPerSecond = name === "mixed" ? computeConversationRate(ratePerSecond) : ratePerSecond;
  return {
    interface: "current" as const,
    pollIntervalMs: 1000,
    pollers: 2,
    deadlineMs: 3 * minuteMs,
    questions,
    // Two more than planned, since rounding may add one in each phase.
    budget: Math.ceil((questionsPerSecond * (durationMs + warmupMs)) / 1000) + 2,
  };
}

/**
 * Returns the default plan of a scenario: rates that suit a real service, for a minute (an hour for `soak`, five minutes
 * for `breakpoint`). The budget of questions is what this plan needs. If you change the rate or duration, change it too.
 */
export function createDefaultPlan(name: ScenarioName, shape: LoadShape = "steady"): DefaultPlan {
  const { searches: isSearching, asksQuestions } = getScenarioFacts(name);
  const { ratePerSecond, timeoutMs } = defaultPaces[name];
  const durationMs = { soak: 60, breakpoint: 5, steady: 1, ramp: 1, spike: 1 }[shape] * minuteMs;
  const times: PlanTimes = { durationMs, warmupMs: 10_000 };
  return {
    version: 2,
    scenario: name,
    shape,
    ratePerSecond,
    ...times,
    queries: isSearching ? (name === "search-exhaustive" ? exhaustiveSearches : searchQueries) : [],
    timeoutMs,
    maxEventBytes: 64 * 1024 * 1024,
    maxVus: 500,
    ...(asksQuestions ? { conversation: createDefaultConversation(name, ratePerSecond, times) } : {}),
  };
}
