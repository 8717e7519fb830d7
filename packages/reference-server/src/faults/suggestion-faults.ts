import type { PayloadObject } from "../payload.ts";
import { changeProgress, type EventEffect, without } from "./event-transforms.ts";
import type { Fault, FaultRun } from "./fault.ts";
import { withLimitEntries } from "./skipped-transforms.ts";

const attacks = "stream/limit-suggestion-raises-count";

const suggest = (expressionOf: (run: FaultRun) => string): EventEffect =>
  changeProgress((progress, run) =>
    withLimitEntries(progress, (entry) => ({
      ...entry,
      suggested: { title: "increase limit", queryExpression: expressionOf(run) },
    })),
  );

const withoutSuggestion = (entry: PayloadObject): PayloadObject => without(entry, "suggested");

/** Faults in what is suggested when a limit was reached. */
export const suggestionFaults: readonly Fault[] = [
  {
    id: "suggestion-missing",
    title: "a limit without a suggestion",
    description: "Entries about a limit that was reached suggest nothing.",
    kind: "violation",
    attacks,
    ...changeProgress((progress) => withLimitEntries(progress, withoutSuggestion)),
  },
  {
    id: "suggestion-too-low",
    title: "a suggestion that asks for no more",
    description: "Entries about a limit that was reached suggest `count:1`, or another number.",
    kind: "violation",
    attacks,
    parameters: { count: { title: "the number suggested", default: 1 } },
    ...suggest(({ values }) => `count:${String(values["count"])}`),
  },
  {
    id: "suggestion-not-a-count",
    title: "a suggestion that is no count",
    description: "Entries about a limit that was reached suggest another filter than `count:`, or no number for it.",
    kind: "violation",
    attacks,
    parameters: {
      expression: {
        title: "what is suggested",
        default: "archived:yes",
        choices: ["archived:yes", "count:many", "count:", "more"],
      },
    },
    ...suggest(({ values }) => String(values["expression"])),
  },
  {
    id: "suggestion-of-another-number",
    title: "a suggestion of another number",
    description: "Entries about a limit that was reached suggest `count:5000`, or another number.",
    kind: "observation",
    attacks,
    parameters: { count: { title: "the number suggested", default: 5000 } },
    ...suggest(({ values }) => `count:${String(values["count"])}`),
  },
];
