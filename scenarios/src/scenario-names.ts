/** The facts about a scenario that determine its plan. */
export interface ScenarioFacts {
  readonly searches: boolean;
  readonly asksQuestions: boolean;
  /** True if it can alternate between two targets in blocks. */
  readonly hasBlocks: boolean;
}

const searchFacts: ScenarioFacts = { searches: true, asksQuestions: false, hasBlocks: true };
const pollFacts: ScenarioFacts = { searches: false, asksQuestions: true, hasBlocks: true };

const factsByName = {
  "search-first-match": searchFacts,
  "search-exhaustive": searchFacts,
  "conversation-poll": pollFacts,
  mixed: { searches: true, asksQuestions: true, hasBlocks: false },
} as const satisfies Record<string, ScenarioFacts>;

/** A scenario of this project. */
export type ScenarioName = keyof typeof factsByName;

export const isScenarioName = (name: string): name is ScenarioName => Object.hasOwn(factsByName, name);

export const scenarioNames: readonly ScenarioName[] = Object.keys(factsByName).filter(isScenarioName);

export const getScenarioFacts = (name: ScenarioName): ScenarioFacts => factsByName[name];

/** Reports whether a scenario asks questions, which cost money. Its plan then needs the member `conversation`. */
export const needsQuestions = (name: ScenarioName): boolean => factsByName[name].asksQuestions;
