import { currentMachine, legacyMachine } from "@assay/contract";
import { createHistoryChecker } from "@assay/state-machine";
import type { HistoryReport } from "@assay/state-machine";
import type { ConversationCall, ConversationInterface } from "../engine/conversation-call.ts";
import type { Thread } from "../engine/threads.ts";
import { observationsOf } from "./observations-of.ts";

const machines = { legacy: legacyMachine, current: currentMachine } as const;

/** Reported of each code, far more than a verdict keeps; the rest is counted by the checker. */
const maxFindingsPerCode = 1_000;

/** What the state table of one interface says of all that its reads showed, whoever wrote what they show. */
export function historyOf(
  name: ConversationInterface,
  calls: readonly ConversationCall[],
  threads: (name: ConversationInterface) => readonly Thread[],
): HistoryReport {
  const checker = createHistoryChecker(machines[name], { maxFindingsPerCode });
  for (const observation of observationsOf({ machine: machines[name], calls, threads })) {
    checker.observe(observation);
  }
  return checker.finish();
}
