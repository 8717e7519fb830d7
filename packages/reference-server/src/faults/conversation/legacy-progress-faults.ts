import { isPayloadObject, type PayloadObject } from "../../payload.ts";
import type { ConversationEffect } from "../conversation-effect.ts";
import { type Fault, oneEffectOf, oneOf, type Variants, violating } from "../fault.ts";
import { having, lacking, type Spoil } from "../spoiling.ts";
import { type CallTest, callsOf, editing, type JsonEdit, showing } from "./call-effects.ts";
import {
  inLastQuestion,
  inQuestions,
  isAnswered,
  isCancelled,
  isRunning,
  when,
  zeroStats,
} from "./conversation-parts.ts";
import { finishedRead, keptApart } from "./seen-conversations.ts";

const answers = callsOf("legacy", ...showing);
const polls = callsOf("legacy", "get");
const creations = callsOf("legacy", "create");

const hasFailed = (question: PayloadObject): boolean => !isAnswered(question) && !isCancelled(question);

/** Statuses that are none, and the questions that show one of them. */
const statuses: Variants<(question: PayloadObject) => boolean> = {
  done: isAnswered,
  succeeded: isAnswered,
  COMPLETED: isAnswered,
  failed: hasFailed,
  error: hasFailed,
};

const newTurns = (calls: CallTest, spoil: Spoil): ConversationEffect => editing(calls, inLastQuestion(spoil));

const turnWays: Variants<ConversationEffect> = {
  missing: newTurns(creations, lacking("turns")),
  null: newTurns(creations, having("turns", null)),
  empty: newTurns(creations, having("turns", [])),
  "of-others": newTurns(
    creations,
    having("turns", [{ reasoning: "Looking for it.", timestamp: 1_700_000_000, role: "agent" }]),
  ),
  "missing-in-follow-up": newTurns(callsOf("legacy", "follow-up"), lacking("turns")),
};

/** Edits questions that are in progress. */
const whileRunning = (calls: CallTest, edit: JsonEdit): ConversationEffect =>
  editing(calls, inQuestions(when(isRunning, edit)));

const withStats = (stats: PayloadObject): Spoil => having("stats", { ...zeroStats, ...stats });

const statsWays: Variants<ConversationEffect> = {
  "one-tool-call": whileRunning(polls, withStats({ tool_calls: 1 })),
  "time-passes": whileRunning(polls, withStats({ time_millis: 37 })),
  "credits-at-once": whileRunning(creations, withStats({ credits: 1 })),
  "tokens-at-once": whileRunning(creations, withStats({ total_tokens: 12 })),
  "missing-at-once": whileRunning(creations, lacking("stats")),
  "null-at-once": whileRunning(creations, having("stats", null)),
};

const earlyAnswers: Variants<ConversationEffect> = {
  "while-polling": whileRunning(polls, having("answer", "It is in ")),
  "at-once": whileRunning(creations, having("answer", "It is in ")),
  empty: whileRunning(polls, having("answer", "")),
};

const unfilled: Variants<Spoil> = {
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

/** Faults in what a legacy question shows in which status. */
export const legacyProgressFaults: readonly Fault[] = [
  violating("legacy/status-is-listed", "legacy-status-unlisted")(
    "The first read that shows a question ended in success, or in failure, has another status.",
    oneOf(statuses, (isMeant, status) =>
      editing(
        polls,
        when(
          (json, context) => finishedRead(json, context) === 1,
          inLastQuestion(when(isMeant, having("status", status))),
        ),
      ),
    ),
  ),
  violating("legacy/new-question-has-turns", "legacy-turns-missing")(
    "Creations or follow-ups are answered with a question that has no turns, or only those of others.",
    oneEffectOf(turnWays),
  ),
  violating("legacy/stats-are-zero-while-processing", "legacy-stats-too-early")(
    "A question that is processing has stats other than zero, or a new one has none.",
    oneEffectOf(statsWays),
  ),
  violating("legacy/no-answer-while-processing", "legacy-answer-too-early")(
    "A question that is processing has the beginning of an answer, or an answer of no text.",
    oneEffectOf(earlyAnswers),
  ),
  violating("legacy/followups-null-while-processing", "legacy-followups-too-early")(
    "The suggested follow-ups of a question that is processing are a list, not null.",
    oneOf({ empty: [], some: ["What calls it?"] }, (followups) =>
      whileRunning(answers, having("suggested_followups", followups)),
    ),
  ),
  violating("legacy/completed-question-is-filled", "legacy-completed-unfilled")(
    "Questions that ended in success lack a member that they should have by then.",
    oneOf(unfilled, (spoil) => keptApart(editing(answers, inQuestions(when(isAnswered, spoil))))),
  ),
  violating("legacy/failed-question-is-completed", "legacy-error-while-processing")(
    "While a question is being processed it has an error already.",
    oneOf({ processing: "processing", pending: "pending" }, (status) =>
      whileRunning(
        polls,
        when(
          (question) => !isPayloadObject(question["error"]),
          (question) => ({ ...question, status, error }),
        ),
      ),
    ),
  ),
];
