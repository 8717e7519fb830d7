// The public surface of the package.
export { bundleScenario, isReadyScenario } from "./bundle-scenario.ts";
export type { BundledScenario, BundleRequest } from "./bundle-scenario.ts";
export { computeConversationRate, createDefaultPlan } from "./default-plan.ts";
export type { DefaultPlan } from "./default-plan.ts";
export { findInstalledK6, getBuiltK6Path, k6Package, scenarioFolder } from "./scenario-folder.ts";
export { isScenarioName, needsQuestions, getScenarioFacts, scenarioNames } from "./scenario-names.ts";
export type { ScenarioFacts, ScenarioName } from "./scenario-names.ts";
export { computeMaxIterationMs } from "./max-iteration.ts";
