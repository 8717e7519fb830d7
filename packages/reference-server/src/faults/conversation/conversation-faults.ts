import type { Fault } from "../fault.ts";
import { conversationAccessFaults } from "./access-faults.ts";
import { askingFaults } from "./asking-faults.ts";
import { badRequestFaults } from "./bad-request-faults.ts";
import { connectionFaults } from "./connection-faults.ts";
import { currentAnswerFaults } from "./current-answer-faults.ts";
import { endingFaults } from "./ending-faults.ts";
import { identityFaults } from "./identity-faults.ts";
import { keepingFaults } from "./keeping-faults.ts";
import { legacyAnswerFaults } from "./legacy-answer-faults.ts";
import { legacyProgressFaults } from "./legacy-progress-faults.ts";
import { legacyRetrievalFaults } from "./legacy-retrieval-faults.ts";
import { legalAnswers } from "./legal-answers.ts";
import { legalStates } from "./legal-states.ts";
import { listFaults } from "./list-faults.ts";
import { listedFaults } from "./listed-faults.ts";
import { migrationFaults } from "./migration-faults.ts";
import { pagingFaults } from "./paging-faults.ts";
import { conversationSchemaFaults } from "./schema-faults.ts";
import { sharingFaults } from "./sharing-faults.ts";
import { transitionFaults } from "./transition-faults.ts";

/** Every fault and legal variation of the conversation API. */
export const conversationFaults: readonly Fault[] = [
  ...legacyAnswerFaults,
  ...legacyRetrievalFaults,
  ...legacyProgressFaults,
  ...currentAnswerFaults,
  ...transitionFaults,
  ...keepingFaults,
  ...identityFaults,
  ...askingFaults,
  ...endingFaults,
  ...listFaults,
  ...listedFaults,
  ...pagingFaults,
  ...conversationAccessFaults,
  ...sharingFaults,
  ...badRequestFaults,
  ...conversationSchemaFaults,
  ...migrationFaults,
  ...connectionFaults,
  ...legalAnswers,
  ...legalStates,
];
