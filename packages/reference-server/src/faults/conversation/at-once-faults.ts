import { noWork } from "../../conversation/conversation-record.ts";
import type { QuestionOutcome } from "../../conversation/conversation-record.ts";
import type { PayloadObject } from "../../payload.ts";
import type { ConversationEffect } from "../conversation-effect.ts";
import type { FaultRun } from "../fault-run.ts";
import { type Fault, type Variants, howParameter, variantOf, violating } from "../fault.ts";
import { editAnswers } from "./answer-edits.ts";
import type { InterfaceName } from "./answer-edits.ts";
import { changeLastQuestion } from "./conversation-parts.ts";
import { countUp } from "./seen-conversations.ts";
import { unfinished } from "./unfinished.ts";

/** An answer that is there without any work. */
export const readyAnswer: QuestionOutcome = {
  kind: "completed",
  title: "An answer that was there already",
  answer: "Somebody asked this before, so that the answer was there already.",
  sources: [],
  followups: ["Who asked it?"],
  stats: { ...noWork, timeMs: 1, toolCalls: 1 },
};

const outcomes: Variants<QuestionOutcome> = {
  completed: readyAnswer,
  failed: {
    kind: "failed",
    title: "An error at once",
    code: "ERROR_INTERNAL",
    message: "The question could not be answered because of a failure inside the server.",
    stats: noWork,
  },
};

/** Which questions end at once: the first of the first conversation, or the first follow-up. */
const occasions = { creation: "create", "follow-up": "follow-up" } as const;

const isOccasion = (run: FaultRun, operation: string): boolean =>
  variantOf(occasions, { ...run, values: { how: run.values["after"] ?? "" } }) === operation &&
  countUp(run, `at once ${operation}`) === 1;

/** Questions end before they are answered. A new legacy question keeps the turn of the user all the same. */
const endsAtOnce = (name: InterfaceName): ConversationEffect => ({
  ...editAnswers({ interface: name, operations: ["create"] }, (json, { run }) =>
    run.memory.get("ended") === true && name === "legacy"
      ? changeLastQuestion(json, (question) => ({ ...question, turns: turnsOf(question) }))
      : json,
  ),
  store: {
    known: (_question, call, run) => {
      const isNow = call.interface === name && isOccasion(run, call.operation);
      run.memory.set("ended", isNow);
      if (!isNow) {
        return undefined;
      }
      run.applied();
      return variantOf(outcomes, run);
    },
  },
});

const turnsOf = (question: PayloadObject): unknown => {
  const turns: unknown = unfinished(question)["turns"];
  return turns;
};

const atOnceFault = (name: InterfaceName): Fault =>
  violating(`${name}/created-in-progress`, `${name}-ended-at-once`)(
    "The answer to the first creation, or to the first follow-up, shows the question ended already.",
    endsAtOnce(name),
    {
      ...howParameter(outcomes),
      after: { title: "what asks that question", default: "creation", choices: Object.keys(occasions) },
    },
  );

/** Faults in how far a new question is. */
export const atOnceFaults: readonly Fault[] = [
  atOnceFault("legacy"),
  atOnceFault("current"),
  violating("legacy/created-in-progress", "legacy-pending-at-once")(
    "The answer to a creation, or to a follow-up, shows the new question pending.",
    editAnswers({ interface: "legacy", operations: ["create", "follow-up"] }, (json, { call, run }) =>
      variantOf(occasions, { ...run, values: { how: run.values["after"] ?? "" } }) === call.operation
        ? changeLastQuestion(json, (question) => ({ ...question, status: "pending" }))
        : json,
    ),
    { after: { title: "what asks that question", default: "creation", choices: Object.keys(occasions) } },
  ),
];
