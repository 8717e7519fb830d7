import type { UnspecifiedId } from "./unspecified-behaviour.ts";

/** A step from one state to another. */
export interface Transition {
  readonly from: string;
  readonly to: string;
}

/** What a state demands of the members of what is in it. A fact is a name such as `answer`; the reader of answers gives them. */
export interface FieldGate {
  readonly name: string;
  readonly state: string;
  /** Facts of which none may hold in this state. */
  readonly forbids?: readonly string[];
  /** Facts that all have to hold in this state. */
  readonly requires?: readonly string[];
  /** Facts of which any lifts the demand. */
  readonly unless?: readonly string[];
}

/**
 * How states follow each other, as data: what the history checker and the reference server are both held to. The table of
 * transitions is closed: what is neither in it nor tolerated violates.
 */
export interface ConversationMachine {
  readonly interface: "legacy" | "current";
  /** What has a state: each question, or the conversation as a whole. */
  readonly subject: "question" | "conversation";
  readonly states: readonly string[];
  /** State in which the answer to a creation shows what is new. */
  readonly initial: string;
  readonly terminal: readonly string[];
  readonly transitions: readonly Transition[];
  /** Steps that no row lists and that are accepted all the same, each with the row of the behaviour register. */
  readonly tolerated: readonly (Transition & { readonly behaviour: UnspecifiedId })[];
  /** States of which the specification says nothing but their name: any step into or out of them is accepted. */
  readonly open: readonly { readonly state: string; readonly behaviour: UnspecifiedId }[];
  /** Whether a follow-up question takes a terminal conversation back to the initial state, in a new epoch. */
  readonly reopens: boolean;
  readonly gates: readonly FieldGate[];
}

/** The status of a legacy question. Source: conversation-api, sections 2.2, 2.3 and 3.1. */
export const legacyMachine: ConversationMachine = {
  interface: "legacy",
  subject: "question",
  states: ["pending", "processing", "completed"],
  initial: "processing",
  terminal: ["completed"],
  transitions: [{ from: "processing", to: "completed" }],
  tolerated: [],
  open: [{ state: "pending", behaviour: "legacy/pending-status" }],
  reopens: false,
  gates: [
    { name: "no-answer-while-processing", state: "processing", forbids: ["answer"] },
    { name: "stats-are-zero-while-processing", state: "processing", forbids: ["stats-not-zero"] },
    { name: "followups-null-while-processing", state: "processing", forbids: ["followups"] },
    {
      name: "completed-question-is-filled",
      state: "completed",
      requires: ["title", "answer", "sources", "stats-not-zero", "followups"],
      unless: ["error", "cancelled"],
    },
  ],
};

/** The state of a conversation in the current interface. Source: conversation-api, section 3.2. */
export const currentMachine: ConversationMachine = {
  interface: "current",
  subject: "conversation",
  states: ["processing", "completed", "error", "canceled"],
  initial: "processing",
  terminal: ["completed", "error", "canceled"],
  transitions: [
    { from: "processing", to: "completed" },
    { from: "processing", to: "error" },
  ],
  tolerated: [{ from: "processing", to: "canceled", behaviour: "current/canceled-state" }],
  open: [],
  reopens: true,
  gates: [{ name: "completed-has-an-answer", state: "completed", requires: ["answer"] }],
};
