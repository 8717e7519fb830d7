import type { RunOutcome } from "./outcome.ts";

/** One row of the table of exit codes. */
export interface ExitCodeRow {
  readonly code: number;
  readonly outcome: RunOutcome;
  /** What the code tells a script, one sentence without a full stop. */
  readonly meaning: string;
}

/**
 * Every exit code of the command line, lowest first. No other code is ever used, and `exitCodeOf` is the only way to one.
 * `interrupted` has two rows, one for each signal.
 */
export const exitCodes = [
  {
    code: 0,
    outcome: "passed",
    meaning: "all tested rules passed, apart from known failures, and every rule that the profile requires was tested",
  },
  {
    code: 1,
    outcome: "failed",
    meaning: "a rule failed, or an entry of the known failures is fixed, misspelled or expired",
  },
  { code: 2, outcome: "usage-error", meaning: "wrong usage, configuration or OpenAPI document" },
  {
    code: 3,
    outcome: "incomplete",
    meaning:
      "incomplete: target unreachable, authentication refused, deadline or budget used up, nothing selected, or nothing or too little tested; there is no verdict about the contract; or a load run whose figures cannot be trusted, or leave a threshold undecided",
  },
  {
    code: 4,
    outcome: "performance-failed",
    meaning: "a performance threshold was missed or a regression was found; no rule failed",
  },
  {
    code: 5,
    outcome: "performance-inconclusive",
    meaning: "the performance comparison is inconclusive although the gate asked for a decision",
  },
  {
    code: 6,
    outcome: "cleanup-incomplete",
    meaning: "all is well, but objects created on the target could not be removed",
  },
  {
    code: 70,
    outcome: "harness-error",
    meaning: "a bug in the harness: uncaught error, a rule that threw, a secret in a file",
  },
  { code: 130, outcome: "interrupted", meaning: "interrupted by SIGINT; a partial report is written" },
  { code: 143, outcome: "interrupted", meaning: "interrupted by SIGTERM; a partial report is written" },
] as const satisfies readonly ExitCodeRow[];
export type ExitCode = (typeof exitCodes)[number]["code"];

/** Outcomes from the one that outranks all others to the one that says everything is well. */
export const outcomePrecedence = [
  "harness-error",
  "interrupted",
  "usage-error",
  "failed",
  "performance-failed",
  "incomplete",
  "performance-inconclusive",
  "cleanup-incomplete",
  "passed",
] as const satisfies readonly RunOutcome[];

/** Signals that end a run early and in order. */
export type InterruptSignal = "SIGINT" | "SIGTERM";

const codeOf = {
  passed: 0,
  failed: 1,
  "usage-error": 2,
  incomplete: 3,
  "performance-failed": 4,
  "performance-inconclusive": 5,
  "cleanup-incomplete": 6,
  "harness-error": 70,
} as const satisfies Record<Exclude<RunOutcome, "interrupted">, ExitCode>;

/** The exit code of an outcome; `signal` matters to `interrupted` only, where SIGINT is assumed unless told otherwise. */
export const exitCodeOf = (outcome: RunOutcome, signal: InterruptSignal = "SIGINT"): ExitCode => {
  if (outcome === "interrupted") {
    return signal === "SIGTERM" ? 143 : 130;
  }
  return codeOf[outcome];
};
