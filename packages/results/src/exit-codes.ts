import { implies } from "@assay/reading";
import * as Type from "typebox";
import type { RunOutcome } from "./outcome.ts";

/** One row of the table of exit codes. */
export interface ExitCodeRow {
  readonly code: number;
  readonly outcome: RunOutcome;
  /** One sentence without a full stop. */
  readonly meaning: string;
}

/** Every exit code of the command line, lowest first. `interrupted` has two rows, one for each signal, SIGINT first. */
export const exitCodes = [
  {
    code: 0,
    outcome: "passed",
    meaning: "every tested rule passed or is a known failure, and every required rule was tested",
  },
  {
    code: 1,
    outcome: "failed",
    meaning: "a rule failed, or a known-failure entry is fixed, misspelled or expired",
  },
  { code: 2, outcome: "usage-error", meaning: "wrong usage or configuration, or a file that cannot be read" },
  {
    code: 3,
    outcome: "incomplete",
    meaning:
      "incomplete: unreachable, refused, not the API, out of time, or too little tested; for a load, untrusted figures or an undecided threshold",
  },
  {
    code: 4,
    outcome: "performance-failed",
    meaning: "no rule failed, but a threshold was missed or a regression was found",
  },
  {
    code: 5,
    outcome: "performance-inconclusive",
    meaning: "the comparison is inconclusive, and `--decide` is set",
  },
  {
    code: 6,
    outcome: "cleanup-incomplete",
    meaning: "passed, but a conversation of the run could not be removed",
  },
  {
    code: 70,
    outcome: "harness-error",
    meaning: "a bug in Assay, or a disk that is full or fails",
  },
  { code: 130, outcome: "interrupted", meaning: "interrupted by SIGINT; a partial report is written" },
  { code: 143, outcome: "interrupted", meaning: "interrupted by SIGTERM; a partial report is written" },
] as const satisfies readonly ExitCodeRow[];
export type ExitCode = (typeof exitCodes)[number]["code"];

export const ExitCodeShape = Type.Enum(
  exitCodes.map(({ code }) => code),
  { description: "Exit code of the process. It follows from the outcome." },
);

/** Outcomes, highest precedence first. */
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

/** Reports whether an outcome is better than the outcome of the run. Later events can make the outcome of a run worse, never better. */
export const isBetter = (outcome: RunOutcome, runOutcome: RunOutcome): boolean =>
  outcomePrecedence.indexOf(outcome) > outcomePrecedence.indexOf(runOutcome);

/** JSON Schema conditions: a stored result has an exit code of its outcome. */
export const outcomeHasItsExitCode = outcomePrecedence.toReversed().map((outcome) =>
  implies(
    { properties: { outcome: { const: outcome } }, required: ["outcome"] },
    {
      properties: { exitCode: { enum: exitCodes.filter((row) => row.outcome === outcome).map(({ code }) => code) } },
    },
  ),
);

/** Signals that end a run early with a partial report. */
export type InterruptSignal = "SIGINT" | "SIGTERM";

/** Returns the exit code of an outcome. `signal` matters only for `interrupted`. */
export const exitCodeOf = (outcome: RunOutcome, signal: InterruptSignal = "SIGINT"): ExitCode => {
  const codes = exitCodes.filter((row) => row.outcome === outcome).map(({ code }) => code);
  return codes[signal === "SIGTERM" ? codes.length - 1 : 0] ?? 70;
};
