import type { Fault } from "../fault.ts";
import { accessFaults } from "./access-faults.ts";
import { askingFaults } from "./asking-faults.ts";
import { refusalFaults } from "./refusal-faults.ts";
import { currentAnswerFaults } from "./current-answer-faults.ts";
import { cancellationFaults } from "./cancellation-faults.ts";
import { endingFaults } from "./ending-faults.ts";
import { historyFaults } from "./history-faults.ts";
import { legacyAnswerFaults } from "./legacy-answer-faults.ts";
import { legalAnswers } from "./legal-answers.ts";
import { listFaults } from "./list-faults.ts";
import { listedFaults } from "./listed-faults.ts";
import { migrationFaults } from "./migration-faults.ts";
import { schemaFaults } from "./schema-faults.ts";
import { timeFaults } from "./time-faults.ts";

/** Every fault and legal variation of the conversation API. */
export const conversationFaults: readonly Fault[] = [
  ...legacyAnswerFaults,
  ...currentAnswerFaults,
  ...timeFaults,
  ...historyFaults,
  ...cancellationFaults,
  ...askingFaults,
  ...endingFaults,
  ...listedFaults,
  ...listFaults,
  ...accessFaults,
  ...refusalFaults,
  ...schemaFaults,
  ...migrationFaults,
  ...legalAnswers,
];
