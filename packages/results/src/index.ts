export * from "./outcome.ts";
export * from "./run-result.ts";
export * from "./verdict.ts";
