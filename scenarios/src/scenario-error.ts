/** Closed codes of why there is no script that k6 could run. */
export const scenarioErrorCodes = [
  "unknown-scenario",
  "unreadable-scenario",
  "not-bundled",
  "unfit-syntax",
  "not-written",
] as const;
export type ScenarioErrorCode = (typeof scenarioErrorCodes)[number];

/** Why a scenario cannot be run; the message is the code and one sentence. */
export class ScenarioError extends Error {
  override readonly name = "ScenarioError";
  readonly code: ScenarioErrorCode;

  constructor(code: ScenarioErrorCode, sentence: string, options?: ErrorOptions) {
    super(`${code}: ${sentence}`, options);
    this.code = code;
  }
}
