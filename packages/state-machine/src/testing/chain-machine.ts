import type { ConversationMachine } from "@assay/contract";

/** A machine with the states `s0`, `s1`, … in a row. */
export const chainMachine = (length: number): ConversationMachine => {
  const states = Array.from({ length }, (_, index) => `s${index}`);
  return {
    interface: "current",
    subject: "conversation",
    states,
    initial: "s0",
    terminal: states.slice(-1),
    transitions: states.slice(1).map((to, index) => ({ from: `s${index}`, to })),
    tolerated: [],
    open: [],
    reopens: false,
    gates: [],
  };
};
