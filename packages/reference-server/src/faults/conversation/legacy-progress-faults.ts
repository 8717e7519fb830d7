import type { ApiOperation } from "../../conversation/api/api-call.ts";
import { isPayloadObject } from "../../payload.ts";
import type { PayloadObject } from "../../payload.ts";
import { type Fault, type Variants, howParameter, variantOf, violating } from "../fault.ts";
import { having, lacking } from "../spoiling.ts";
import type { Spoil } from "../spoiling.ts";
import { editAnswers, showing } from "./answer-edits.ts";
import { changeLastQuestion, changeQuestions, isAnswered, isCancelled, isRunning } from "./conversation-parts.ts";
import { finishedRead, keptApart } from "./seen-conversations.ts";
import { zeroStats } from "./unfinished.ts";

const statusVariants: Variants<(question: PayloadObject) => boolean> = {
  done: isAnswered,
  succeeded: isAnswered,
  COMPLETED: isAnswered,
  failed: (question) => !isAnswered(question) && !isCancelled(question),
  error: (question) => !isAnswered(question) && !isCancelled(question),
};

const turnsVariants: Variants<{ readonly spoil: Spoil; readonly operation: "create" | "follow-up" }> = {
  missing: { spoil: lacking("turns"), operation: "create" },
  null: { spoil: having("turns", null), operation: "create" },
  empty: { spoil: having("turns", []), operation: "create" },
  "of-others": {
    spoil: having("turns", [{ reasoning: "Looking for it.", timestamp: 1_700_000_000, role: "agent" }]),
    operation: "create",
  },
  "missing-in-follow-up": { spoil: lacking("turns"), operation: "follow-up" },
};

const statsVariants: Variants<{ readonly spoil: Spoil; readonly operation: "create" | "get" }> = {
  "one-tool-call": { spoil: having("stats", { ...zeroStats, tool_calls: 1 }), operation: "get" },
  "time-passes": { spoil: having("stats", { ...zeroStats, time_millis: 37 }), operation: "get" },
  "credits-at-once": { spoil: having("stats", { ...zeroStats, credits: 1 }), operation: "create" },
  "tokens-at-once": { spoil: having("stats", { ...zeroStats, total_tokens: 12 }), operation: "create" },
  "missing-at-once": { spoil: lacking("stats"), operation: "create" },
  "null-at-once": { spoil: having("stats", null), operation: "create" },
};

const tooEarly: Variants<{ readonly operation: ApiOperation; readonly answer: string }> = {
  "while-polling": { operation: "get", answer: "It is in " },
  "at-once": { operation: "create", answer: "It is in " },
  empty: { operation: "get", answer: "" },
};

const followupsVariants: Variants<unknown> = { empty: [], some: ["What calls it?"] };

const filledVariants: Variants<Spoil> = {
  "title-missing": lacking("title"),
  "title-null": having("title", null),
  "answer-missing": lacking("answer"),
  "answer-null": having("answer", null),
  "answer-empty": having("answer", ""),
  "sources-missing": lacking("sources"),
  "sources-null": having("sources", null),
  "stats-missing": lacking("stats"),
  "stats-null": having("stats", null),
  "stats-zero": having("stats", zeroStats),
  "followups-missing": lacking("suggested_followups"),
  "followups-null": having("suggested_followups", null),
};

const error = {
  title: "Internal error",
  kind: "InternalError",
  message: "The search could not be completed.",
  details: "",
};

const failedVariants: Variants<string> = { processing: "processing", pending: "pending" };

const legacy = { interface: "legacy", operations: showing } as const;
const polling = { interface: "legacy", operations: ["get"] } as const;

const changeRunning = (json: PayloadObject, change: (question: PayloadObject) => unknown): unknown =>
  changeQuestions(json, (question) => (isRunning(question) ? change(question) : question));

/** Faults in what a legacy question shows in which status. */
export const legacyProgressFaults: readonly Fault[] = [
  violating("legacy/status-is-listed", "legacy-status-unlisted")(
    "The first read that shows a question ended in success, or in failure, has another status.",
    editAnswers(polling, (json, context) =>
      finishedRead(json, context) === 1
        ? changeLastQuestion(json, (question) =>
            variantOf(statusVariants, context.run)?.(question) === true
              ? { ...question, status: String(context.run.values["how"]) }
              : question,
          )
        : json,
    ),
    howParameter(statusVariants),
  ),
  violating("legacy/new-question-has-turns", "legacy-turns-missing")(
    "Creations or follow-ups are answered with a question that has no turns, or only those of others.",
    editAnswers(legacy, (json, { call, run }) => {
      const way = variantOf(turnsVariants, run);
      return way?.operation === call.operation ? changeLastQuestion(json, way.spoil) : json;
    }),
    howParameter(turnsVariants),
  ),
  violating("legacy/stats-are-zero-while-processing", "legacy-stats-too-early")(
    "A question that is processing has stats other than zero, or a new one has none.",
    editAnswers(legacy, (json, { call, run }) => {
      const way = variantOf(statsVariants, run);
      return way?.operation === call.operation ? changeRunning(json, way.spoil) : json;
    }),
    howParameter(statsVariants),
  ),
  violating("legacy/no-answer-while-processing", "legacy-answer-too-early")(
    "A question that is processing has the beginning of an answer, or an answer of no text.",
    editAnswers(legacy, (json, { call, run }) => {
      const way = variantOf(tooEarly, run);
      return way?.operation === call.operation ? changeRunning(json, having("answer", way.answer)) : json;
    }),
    howParameter(tooEarly),
  ),
  violating("legacy/followups-null-while-processing", "legacy-followups-too-early")(
    "The suggested follow-ups of a question that is processing are a list, not null.",
    editAnswers(legacy, (json, { run }) =>
      changeRunning(json, having("suggested_followups", variantOf(followupsVariants, run))),
    ),
    howParameter(followupsVariants),
  ),
  violating("legacy/completed-question-is-filled", "legacy-completed-unfilled")(
    "Questions that ended in success lack a member that they should have by then.",
    keptApart(
      editAnswers(legacy, (json, { run }) =>
        changeQuestions(json, (question) =>
          isAnswered(question) ? (variantOf(filledVariants, run)?.(question) ?? question) : question,
        ),
      ),
    ),
    howParameter(filledVariants),
  ),
  violating("legacy/failed-question-is-completed", "legacy-error-while-processing")(
    "While a question is being processed it has an error already.",
    editAnswers(polling, (json, { run }) =>
      changeRunning(json, (question) =>
        isPayloadObject(question["error"]) ? question : { ...question, status: variantOf(failedVariants, run), error },
      ),
    ),
    howParameter(failedVariants),
  ),
];
