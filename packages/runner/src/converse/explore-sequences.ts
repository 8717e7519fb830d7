import { isDue, recordSkipped, sendProbe } from "./drive-context.ts";
import type { DriveContext } from "./drive-context.ts";
import { generateSequences, sequencePairs } from "./generate-sequences.ts";
import type { Sequence } from "./generate-sequences.ts";
import { isMarked } from "./run-conversation.ts";
import type { RunConversation } from "./run-conversation.ts";
import { createSubject, runSequence } from "./run-sequence.ts";
import { createConversation } from "./write-question.ts";

const probe = "sequences";

/**
 * Sends generated sequences of commands, each on a new conversation, one after the other. A sequence begins if the budget has all its
 * questions. Records how many pairs of commands are left out.
 */
export async function exploreSequences(contexts: readonly DriveContext[]): Promise<void> {
  const [context] = contexts;
  if (context === undefined || context.limits.sequences === 0) {
    return;
  }
  const { sequences, uncovered } = generateSequences(context.limits.sequences, { random: context.random });
  const uncoveredPairs = new Set(uncovered);
  for (const [index, sequence] of sequences.entries()) {
    for (const each of contexts) {
      each.sequenceNumber = index + 1;
    }
    if (!(await exploreSequence(contexts, sequence))) {
      const left = new Set(sequences.slice(index).flatMap(({ pairs }) => pairs));
      left.forEach((pair) => uncoveredPairs.add(pair));
      break;
    }
  }
  if (uncoveredPairs.size > 0) {
    const reason = `${uncoveredPairs.size} of ${sequencePairs.length} pairs of commands were not sent; more sequences or questions cover them`;
    recordSkipped(context, probe, { cause: "other", reason });
  }
}

/** Sends one sequence. Returns false if the budget, or the run, has ended. */
async function exploreSequence(contexts: readonly DriveContext[], sequence: Sequence): Promise<boolean> {
  const context = contexts.find(({ dialect }) => dialect.interface === sequence.createdIn) ?? contexts[0];
  if (context === undefined || !isDue(context, probe)) {
    return false;
  }
  const { budget, caller } = context;
  if (budget.askedCount + sequence.questions > budget.maxQuestions || caller.distress !== undefined) {
    return false;
  }
  const { conversation } = await createConversation(context, probe, { question: context.nextQuestion() });
  if (conversation === undefined || !conversation.hasRunMark) {
    return false;
  }
  const otherContext = contexts.find((other) => other !== context);
  conversation.otherId = otherContext && (await findOtherId(otherContext, conversation));
  const isSent = await runSequence(createSubject(context, otherContext, conversation), probe, sequence.steps);
  // It is read again at the end of the run, or deleted then if the sequence did not delete it.
  context.conversations.splice(context.conversations.indexOf(conversation), 1);
  context.exploredConversations.push(conversation);
  return isSent;
}

/** Returns the id of a conversation in the other interface, if that shows it. */
async function findOtherId(context: DriveContext, { id, credential }: RunConversation): Promise<string | undefined> {
  const otherId = context.dialect.convertId(id);
  const answer =
    otherId === undefined
      ? undefined
      : await sendProbe(context, probe, { call: context.dialect.get(otherId), credential });
  return answer?.kind === "success" && isMarked(context.dialect.read(answer.json), context.marker)
    ? otherId
    : undefined;
}
