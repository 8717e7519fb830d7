/** The facts about a scenario that determine its plan. */
export interface ScenarioFacts {
  readonly searches: boolean;
  readonly asksQuestions: boolean;
  /** True if it can alternate between two targets in blocks. */
  readonly hasBlocks: boolean;
}

const search: ScenarioFacts = { searches: true, asksQuestions: false, hasBlocks: true };
const poll: ScenarioFacts = { searches: false, asksQuestions: true, hasBlocks: true };

const facts = {
  "search-first-match": search,
  "search-exhaustive": search,
  "conversation-poll": poll,
  mixed: { searches: true, asksQuestions: true, hasBlocks: false },
} as const satisfies Record<string, ScenarioFacts>;

/** A scenario of this project. */
export type ScenarioName = keyof typeof facts;

export const isScenarioName = (name: string): name is ScenarioName => Object.hasOwn(facts, name);

export const scenarioNames: readonly ScenarioName[] = Object.keys(facts).filter(isScenarioName);

export const scenarioFacts = (name: ScenarioName): ScenarioFacts => facts[name];

/** Reports whether a scenario asks questions, which cost. Its plan then needs the member `conversation`. */
export const needsQuestions = (name: ScenarioName): boolean => facts[name].asksQuestions;
