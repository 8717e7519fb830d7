import type { UnspecifiedId } from "./unspecified-behaviour.ts";

/** A step from one state to another. */
export interface Transition {
  readonly from: string;
  readonly to: string;
}

/**
 * Members that a state forbids or requires. A fact is a name such as `answer`; the code that reads responses provides
 * them.
 */
export interface FieldGate {
  readonly name: string;
  readonly state: string;
  /** Facts that must all be absent in this state. */
  readonly forbids?: readonly string[];
  /** Facts that must all be present in this state. */
  readonly requires?: readonly string[];
  /** Facts of which any one waives the gate. */
  readonly unless?: readonly string[];
}

/**
 * Allowed state transitions, as data. The history checker and the reference server both follow this table. The table
 * is closed: a transition that is neither listed nor tolerated is a violation.
 */
export interface ConversationMachine {
  readonly interface: "legacy" | "current";
  /** The owner of the state: each question, or the conversation as a whole. */
  readonly subject: "question" | "conversation";
  readonly states: readonly string[];
  /** State of a new question or conversation in the response that creates it. */
  readonly initial: string;
  readonly terminal: readonly string[];
  readonly transitions: readonly Transition[];
  /**
   * Transitions that are accepted although the specification does not list them, each with its unspecified behaviour.
   */
  readonly tolerated: readonly (Transition & { readonly behaviour: UnspecifiedId })[];
  /** States that the specification only names: any transition into or out of them is accepted. */
  readonly open: readonly { readonly state: string; readonly behaviour: UnspecifiedId }[];
  /** Reports whether a follow-up question returns a terminal conversation to the initial state, in a new epoch. */
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
