// The public surface of the package.
export { bundleScenario, isReadyScenario } from "./bundle-scenario.ts";
export type { BundledScenario, BundleRequest } from "./bundle-scenario.ts";
export { conversationRate, defaultPlan } from "./default-plan.ts";
export type { DefaultPlan } from "./default-plan.ts";
export { installedK6, k6Binary, k6Package } from "./scenario-folder.ts";
export { isScenarioName, needsQuestions, scenarioFacts, scenarioNames } from "./scenario-names.ts";
export type { ScenarioFacts, ScenarioName } from "./scenario-names.ts";
export { maxIterationMs } from "./max-iteration.ts";
