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
import { questionStates } from "./question-states.ts";
import { transitionFaults } from "./transition-faults.ts";
import type { Fault } from "../fault.ts";

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
