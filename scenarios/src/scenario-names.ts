/** What a scenario does, so that a plan can be checked for it. */
export interface ScenarioFacts {
  readonly searches: boolean;
  readonly asksQuestions: boolean;
  /** Whether it runs on a k6 without the extension of this project. */
  readonly runsOnStockK6: boolean;
  /** Whether it can alternate between two targets in blocks. */
  readonly hasBlocks: boolean;
}

const search: ScenarioFacts = { searches: true, asksQuestions: false, runsOnStockK6: false, hasBlocks: true };
const poll: ScenarioFacts = { searches: false, asksQuestions: true, runsOnStockK6: false, hasBlocks: true };

const facts = {
  "search-first-match": search,
  "search-exhaustive": search,
  "conversation-poll": poll,
  mixed: { searches: true, asksQuestions: true, runsOnStockK6: false, hasBlocks: false },
  "search-first-byte": { ...search, runsOnStockK6: true },
  "conversation-poll-stock": { ...poll, runsOnStockK6: true },
} as const satisfies Record<string, ScenarioFacts>;

/** A scenario of this project. */
export type ScenarioName = keyof typeof facts;

/** Whether there is a scenario of that name. */
export const isScenarioName = (name: string): name is ScenarioName => Object.hasOwn(facts, name);

/** Every scenario; those for a stock k6 come last. */
export const scenarioNames: readonly ScenarioName[] = Object.keys(facts).filter(isScenarioName);

/** What a scenario does. */
export const scenarioFacts = (name: ScenarioName): ScenarioFacts => facts[name];

/** Whether a scenario asks questions, which cost: a plan for it needs its part `conversation`. */
export const needsQuestions = (name: ScenarioName): boolean => facts[name].asksQuestions;
