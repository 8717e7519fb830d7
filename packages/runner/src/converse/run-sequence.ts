import type { ConversationProbeId } from "@assay/contract";
import type { DriveContext } from "./drive-context.ts";
import type { RunConversation } from "./run-conversation.ts";
import { sequenceCommands } from "./sequence-commands.ts";
import type { Address } from "./sequence-commands.ts";
import type { SequenceStep, StepCommand } from "./generate-sequences.ts";

/** A conversation in the interface that created it, and in the other one if that shows it. */
export interface SequenceSubject {
  readonly own: Address;
  readonly other: Address | undefined;
}

/** Returns the conversation of a context as a subject of sequences. The other interface takes part if it showed the conversation. */
export function createSubject(
  context: DriveContext,
  otherContext: DriveContext | undefined,
  conversation: RunConversation,
): SequenceSubject {
  const { otherId } = conversation;
  return {
    own: { context, conversation },
    other:
      otherContext === undefined || otherId === undefined
        ? undefined
        : { context: otherContext, conversation: { ...conversation, id: otherId } },
  };
}

/** Copies what a command changed to the other address, so that both wait for the same questions. */
function synchronize(from: Address, to: Address | undefined): void {
  const { questionCount, isFinished, wasCancelled } = from.conversation;
  if (to !== undefined) {
    Object.assign(to.conversation, { questionCount, isFinished, ...(wasCancelled === true ? { wasCancelled } : {}) });
  }
}

const addressOf = ({ own, other }: SequenceSubject, { side }: StepCommand): Address | undefined =>
  side === "own" ? own : other;

/**
 * Sends the steps of a sequence. Commands of one step are sent at the same time. Skips commands of the other interface if it does not take
 * part. Returns false if the run stopped.
 */
export async function runSequence(
  subject: SequenceSubject,
  probe: ConversationProbeId,
  steps: readonly SequenceStep[],
): Promise<boolean> {
  for (const step of steps) {
    if (subject.own.context.caller.stop !== undefined) {
      return false;
    }
    const countBefore = subject.own.conversation.questionCount;
    await Promise.all(
      step.map(async (stepCommand) => {
        const address = addressOf(subject, stepCommand);
        await (address === undefined ? undefined : sequenceCommands[stepCommand.command].send(address, probe));
      }),
    );
    const { own, other } = subject;
    const otherCount = (other?.conversation.questionCount ?? countBefore) - countBefore;
    own.conversation.questionCount += otherCount;
    const last = step.at(-1);
    const changed = last === undefined ? undefined : addressOf(subject, last);
    if (changed !== undefined) {
      changed.conversation.questionCount = own.conversation.questionCount;
      synchronize(changed, changed === own ? other : own);
    }
  }
  return true;
}
