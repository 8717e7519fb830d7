import { conversationAccessFaults } from "./access-faults.ts";
import { askingFaults } from "./asking-faults.ts";
import { atOnceFaults } from "./at-once-faults.ts";
import { badRequestFaults } from "./bad-request-faults.ts";
import { connectionFaults } from "./connection-faults.ts";
import { currentAnswerFaults } from "./current-answer-faults.ts";
import { currentListFaults } from "./current-list-faults.ts";
import { endingConversationFaults } from "./ending-faults.ts";
import { identityFaults } from "./identity-faults.ts";
import { keepingFaults } from "./keeping-faults.ts";
import { legacyAnswerFaults } from "./legacy-answer-faults.ts";
import { legacyProgressFaults } from "./legacy-progress-faults.ts";
import { legacyRetrievalFaults } from "./legacy-retrieval-faults.ts";
import { legalAnswers } from "./legal-answers.ts";
import { legalStates } from "./legal-states.ts";
import { listFaultsOfConversations } from "./list-faults.ts";
import { listedFaults } from "./listed-faults.ts";
import { migrationFaults } from "./migration-faults.ts";
import { pagingFaults } from "./paging-faults.ts";
import { conversationSchemaFaults } from "./schema-faults.ts";
import { conversationSharingFaults } from "./sharing-faults.ts";
import { transitionFaults } from "./transition-faults.ts";
import { type Fault, legal, violating } from "../fault.ts";
import { isPayloadObject } from "../../payload.ts";
import type { PayloadObject } from "../../payload.ts";
import { editAnswers, showing } from "./answer-edits.ts";
import type { EditContext } from "./answer-edits.ts";
import { questionsOf, stateKey } from "./conversation-parts.ts";
import { keptApart } from "./seen-conversations.ts";

const shownBy = { interface: "current", operations: showing } as const;

/** The state in which each question ended, where one was seen to; the last one has that of its conversation. */
const ownStates = (json: PayloadObject, { call, run }: EditContext): readonly unknown[] => {
  const questions = questionsOf(json);
  const last = questions.length - 1;
  if (stateKey(json) !== "processing") {
    run.memory.set(`ended ${call.conversation} ${last}`, json["state"]);
  }
  return questions.map((question, index) =>
    index === last
      ? json["state"]
      : (run.memory.get(`ended ${call.conversation} ${index}`) ??
        ("answer" in question ? { completed: {} } : { canceled: {} })),
  );
};

const withStates = (json: PayloadObject, states: readonly unknown[]): PayloadObject => ({
  ...json,
  questions: questionsOf(json).map((question, index) => ({ ...question, state: states[index] })),
});

const isShown = (json: PayloadObject): boolean => isPayloadObject(json["state"]) && questionsOf(json).length > 0;

/** Questions of the current interface that show states of their own. */
const questionStates: readonly Fault[] = [
  legal("current-questions-have-states")(
    "Each question shows its own state besides that of the conversation.",
    editAnswers(shownBy, (json, context) => (isShown(json) ? withStates(json, ownStates(json, context)) : json)),
  ),
  violating("current/state-transitions-are-listed", "current-follow-up-reopens")(
    "Each question shows a state of its own; while a follow-up is processing, all of them are.",
    keptApart(
      editAnswers(shownBy, (json, context) => {
        const states = isShown(json) ? ownStates(json, context) : [];
        const isProcessing = stateKey(json) === "processing";
        return isShown(json) ? withStates(json, isProcessing ? states.map(() => json["state"]) : states) : json;
      }),
    ),
  ),
];

/** Every fault and legal variation of the conversation API. */
export const conversationFaults: readonly Fault[] = [
  ...legacyAnswerFaults,
  ...legacyRetrievalFaults,
  ...legacyProgressFaults,
  ...currentAnswerFaults,
  ...atOnceFaults,
  ...transitionFaults,
  ...questionStates,
  ...keepingFaults,
  ...identityFaults,
  ...askingFaults,
  ...endingConversationFaults,
  ...listFaultsOfConversations,
  ...listedFaults,
  ...currentListFaults,
  ...pagingFaults,
  ...conversationAccessFaults,
  ...conversationSharingFaults,
  ...badRequestFaults,
  ...conversationSchemaFaults,
  ...migrationFaults,
  ...connectionFaults,
  ...legalAnswers,
  ...legalStates,
];
