import type { ConversationLoad, LoadPlan, LoadQuery, LoadShape } from "@assay/results";
import { type ScenarioName, scenarioFacts } from "./scenario-names.ts";

/** A plan but for what only a run knows: its targets and its marker. */
export interface DefaultPlan extends Omit<LoadPlan, "targets" | "conversation" | "blocks"> {
  readonly conversation?: Omit<ConversationLoad, "marker">;
}

const query = (name: string, text = name): LoadQuery => ({ name, text });

/**
 * Words that most code holds; eight of them, so that blocks of 200 and of 1000 hold each equally often. Few results are
 * enough to see the first one, and cost the target little.
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

/** Shares of a run for conversations in `mixed`: a tenth of the searches, and one in ten seconds at least. */
export const conversationRate = (searchesPerSecond: number): number => Math.max(searchesPerSecond / 10, 0.1);

const minute = 60_000;

interface Pace {
  readonly ratePerSecond: number;
  readonly timeoutMs: number;
}

const paces: Readonly<Record<ScenarioName, Pace>> = {
  "search-first-match": { ratePerSecond: 2, timeoutMs: minute },
  "search-exhaustive": { ratePerSecond: 0.5, timeoutMs: 2 * minute },
  "conversation-poll": { ratePerSecond: 0.2, timeoutMs: 30_000 },
  mixed: { ratePerSecond: 2, timeoutMs: minute },
  "search-first-byte": { ratePerSecond: 2, timeoutMs: minute },
  "conversation-poll-stock": { ratePerSecond: 0.2, timeoutMs: 30_000 },
};

interface Span {
  readonly durationMs: number;
  readonly warmupMs: number;
}

function conversationOf(name: ScenarioName, ratePerSecond: number, { durationMs, warmupMs }: Span) {
  const perSecond = name === "mixed" ? conversationRate(ratePerSecond) : ratePerSecond;
  return {
    interface: "current" as const,
    pollIntervalMs: 1000,
    // Without the extension nothing is kept that would show how reads of several are ordered.
    pollers: scenarioFacts(name).runsOnStockK6 ? 1 : 2,
    deadlineMs: 3 * minute,
    questions,
    // Two more than are planned, for what rounding adds to each phase.
    budget: Math.ceil((perSecond * (durationMs + warmupMs)) / 1000) + 2,
  };
}

/**
 * What a scenario does when nothing else is asked for: rates that suit a real service, a minute long (an hour for `soak`,
 * five minutes for `breakpoint`). The budget of questions is just what the plan needs; give another one with another rate or
 * duration.
 */
export function defaultPlan(name: ScenarioName, shape: LoadShape = "steady"): DefaultPlan {
  const { searches: isSearching, asksQuestions } = scenarioFacts(name);
  const { ratePerSecond, timeoutMs } = paces[name];
  const durationMs = { soak: 60, breakpoint: 5, steady: 1, ramp: 1, spike: 1 }[shape] * minute;
  const span: Span = { durationMs, warmupMs: 10_000 };
  return {
    version: 1,
    scenario: name,
    shape,
    ratePerSecond,
    ...span,
    queries: isSearching ? (name === "search-exhaustive" ? exhaustiveSearches : searches) : [],
    timeoutMs,
    maxEventBytes: 64 * 1024 * 1024,
    maxVus: 500,
    ...(asksQuestions ? { conversation: conversationOf(name, ratePerSecond, span) } : {}),
  };
}
