import type { ConversationProbeId } from "@assay/contract";
import { callWithRetry, sendProbe, updateConversation } from "./drive-context.ts";
import type { DriveContext } from "./drive-context.ts";
import { createLegacyList } from "./legacy-dialect.ts";
import { pollToEnd } from "./poll.ts";
import type { RunConversation } from "./run-conversation.ts";
import { askFollowUp } from "./write-question.ts";

/** A conversation as one interface addresses it. */
export interface Address {
  readonly context: DriveContext;
  /** The conversation with the id of this interface. */
  readonly conversation: RunConversation;
}

/** One command of a sequence. Rules judge its answer later. */
interface SequenceCommand {
  /** Whether it asks a question, which the budget limits. */
  readonly asks: boolean;
  /** Whether it may be sent to a deleted conversation only, to an existing one only, or to both. Default: both. */
  readonly only?: "existing";
  readonly send: (address: Address, probe: ConversationProbeId) => Promise<unknown>;
}

const read = async ({ context, conversation }: Address, probe: ConversationProbeId): Promise<void> => {
  const { credential, id } = conversation;
  const answer = await sendProbe(context, probe, { call: context.dialect.get(id), credential });
  if (answer !== undefined) {
    updateConversation(context, conversation, answer);
  }
};

/** Every command of a sequence. The generator combines each with each. */
export const sequenceCommands = {
  "follow-up": { asks: true, send: ({ context, conversation }, probe) => askFollowUp(context, conversation, probe) },
  poll: {
    asks: false,
    only: "existing",
    send: ({ context, conversation }, probe) => {
      const sessions = [`${context.dialect.interface}-${conversation.credential}`];
      return pollToEnd(context, { probe, conversation, sessions, isPatient: true });
    },
  },
  read: { asks: false, send: read },
  list: {
    asks: false,
    send: ({ context, conversation: { credential } }, probe) =>
      sendProbe(context, probe, { call: context.dialect.list(), credential }),
  },
  "list-by-id": {
    asks: false,
    send: ({ context, conversation: { credential, id } }, probe) =>
      sendProbe(context, probe, {
        // The current interface has no filters.
        call: context.dialect.interface === "legacy" ? createLegacyList([["filter_id", id]]) : context.dialect.list(),
        credential,
      }),
  },
  "read-as-other": {
    asks: false,
    send: async ({ context, conversation: { id } }, probe) =>
      context.credentials.has("other-token")
        ? sendProbe(context, probe, { call: context.dialect.get(id), credential: "other-token" })
        : undefined,
  },
  cancel: {
    asks: false,
    send: async ({ context, conversation }, probe) => {
      const { credential, id, view } = conversation;
      const call = context.dialect.cancel(id, view.lastQuestionId);
      if (call !== undefined) {
        conversation.wasCancelled = true;
        await sendProbe(context, probe, { call, credential });
      }
    },
  },
  delete: {
    asks: false,
    send: ({ context, conversation: { credential, id } }, probe) =>
      callWithRetry(context, probe, { call: context.dialect.delete(id), credential }),
  },
} as const satisfies Readonly<Record<string, SequenceCommand>>;

export type SequenceCommandName = keyof typeof sequenceCommands;

/** Names of all commands, in the order of the table. */
export const sequenceCommandNames = Object.keys(sequenceCommands).filter((name): name is SequenceCommandName =>
  Object.hasOwn(sequenceCommands, name),
);

/** Reports whether a command asks a question. */
export const asksQuestion = (name: SequenceCommandName): boolean => sequenceCommands[name].asks;
