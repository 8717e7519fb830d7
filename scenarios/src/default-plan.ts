import type { ConversationLoad, LoadPlan, LoadQuery, LoadShape } from "@assay/results";
import { type ScenarioName, scenarioFacts } from "./scenario-names.ts";

/** A plan without targets and marker, which only a run has. */
export interface DefaultPlan extends Omit<LoadPlan, "targets" | "conversation" | "blocks"> {
  readonly conversation?: Omit<ConversationLoad, "marker">;
}

const query = (name: string, text = name): LoadQuery => ({ name, text });

/**
 * Words found in most code. Eight, so that blocks of 200 and of 1000 contain each equally often. Few results suffice to
 * see the first match and cost the target little.
 */
const searches: readonly LoadQuery[] = ["error", "import", "return", "config", "test", "value", "name", "default"].map(
  (word) => query(word, `${word} count:50`),
);

const exhaustiveSearches: readonly LoadQuery[] = [
  query("return-all", "return count:all"),
  query("import-all", "import count:all"),
  query("files-all", "type:path . count:all"),
  query("error-all", "error count:all"),
];

const questions: readonly LoadQuery[] = [
  query("errors", "How are errors handled and reported?"),
  query("configuration", "Where is the configuration read, and what can be configured?"),
  query("tests", "How are the tests organised?"),
  query("entry-point", "What happens when the program starts?"),
];

/** Rate of conversations in `mixed`: a tenth of the searches, at least one in ten seconds. */
export const conversationRate = (searchesPerSecond: number): number => Math.max(searchesPerSecond / 10, 0.1);

const minute = 60_000;

interface Pace {
  readonly ratePerSecond: number;
  readonly timeoutMs: number;
}

const defaultPaces: Readonly<Record<ScenarioName, Pace>> = {
  "search-first-match": { ratePerSecond: 2, timeoutMs: minute },
  "search-exhaustive": { ratePerSecond: 0.5, timeoutMs: 2 * minute },
  "conversation-poll": { ratePerSecond: 0.2, timeoutMs: 30_000 },
  mixed: { ratePerSecond: 2, timeoutMs: minute },
};

interface Span {
  readonly durationMs: number;
  readonly warmupMs: number;
}

function defaultConversation(name: ScenarioName, ratePerSecond: number, { durationMs, warmupMs }: Span) {
  const perSecond = name === "mixed" ? conversationRate(ratePerSecond) : ratePerSecond;
  return {
    interface: "current" as const,
    pollIntervalMs: 1000,
    pollers: 2,
    deadlineMs: 3 * minute,
    questions,
    // Two more than planned, since rounding may add one in each phase.
    budget: Math.ceil((perSecond * (durationMs + warmupMs)) / 1000) + 2,
  };
}

/**
 * The default plan of a scenario: rates that suit a real service, for a minute (an hour for `soak`, five minutes for
 * `breakpoint`). The budget of questions is what this plan needs. Set another one with another rate or duration.
 */
export function defaultPlan(name: ScenarioName, shape: LoadShape = "steady"): DefaultPlan {
  const { searches: isSearching, asksQuestions } = scenarioFacts(name);
  const { ratePerSecond, timeoutMs } = defaultPaces[name];
  const durationMs = { soak: 60, breakpoint: 5, steady: 1, ramp: 1, spike: 1 }[shape] * minute;
  const span: Span = { durationMs, warmupMs: 10_000 };
  return {
    version: 2,
    scenario: name,
    shape,
    ratePerSecond,
    ...span,
    queries: isSearching ? (name === "search-exhaustive" ? exhaustiveSearches : searches) : [],
    timeoutMs,
    maxEventBytes: 64 * 1024 * 1024,
    maxVus: 500,
    ...(asksQuestions ? { conversation: defaultConversation(name, ratePerSecond, span) } : {}),
  };
}
