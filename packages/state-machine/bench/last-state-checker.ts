import type { ConversationMachine } from "@assay/contract";
import type { Read, Snapshot } from "@assay/state-machine";
import type { MeasuredChecker } from "./measure.ts";

/** The states in a snapshot, in order: of each question, or of the conversation. */
const statesOf = ({ subject }: ConversationMachine, { state, questions = [] }: Snapshot): readonly string[] =>
  subject === "question" ? questions.map(({ status = "" }) => status) : [state ?? ""];

/**
 * A peer to measure against, as one would write it first: it keeps the last answer of each conversation and looks up whether the table
 * allows the step to the next one. It fails correct servers whose answers overlap, and compares only states.
 */
export function createLastStateChecker(machine: ConversationMachine): MeasuredChecker {
  const allowed = new Set(machine.transitions.map(({ from, to }) => `${from} ${to}`));
  const lastReads = new Map<string, Read>();
  const findings: string[] = [];
  return {
    observe(read) {
      const last = lastReads.get(read.conversation);
      if (last !== undefined) {
        const states = statesOf(machine, read.snapshot);
        const hasFollowUp = (last.snapshot.questions?.length ?? 0) < (read.snapshot.questions?.length ?? 0);
        statesOf(machine, last.snapshot).forEach((from, index) => {
          const to = states[index] ?? "";
          const isReopened = machine.reopens && hasFollowUp;
          if (from !== to && !isReopened && !allowed.has(`${from} ${to}`)) {
            findings.push(`${read.exchange}: ${from} ${to}`);
          }
        });
      }
      lastReads.set(read.conversation, read);
    },
    finish: () => ({ findings }),
  };
}
