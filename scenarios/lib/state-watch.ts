import { currentMachine, legacyMachine } from "@assay/contract";
import type { ConversationMachine } from "@assay/contract";
import type { ConversationInterface } from "./conversation-calls.ts";
import type { LoadedConversation } from "./loaded-conversation.ts";

/** What is wrong with a state that was seen, or with the answer that should have shown one. */
export const stateCodes = ["illegal-transition", "unknown-state", "bad-answer"] as const;
export type StateCode = (typeof stateCodes)[number];

/** Watches the states of one conversation; of one question, as nothing else is asked in it. */
export interface StateWatch {
  /** What the answer to the creation shows. */
  created(view: LoadedConversation): StateCode | undefined;
  /** What the next read of a poller shows, from 0 [0]. Each is held against its own: those of several overtake each other. The same unknown state is told once. */
  seen(view: LoadedConversation, poller?: number): StateCode | undefined;
  /** Whether that state is a last one, of which nothing more is to come. */
  isTerminal(state: string | undefined): boolean;
}

type Machine = Pick<ConversationMachine, "states" | "initial" | "terminal" | "transitions" | "tolerated" | "open">;

/** Whether a value is of a version that is not newer: strictly older, or of the same second where times hold no more. */
function mayBeOlder(first: string | undefined, second: string | undefined): boolean {
  const [before, after] = [Date.parse(first ?? ""), Date.parse(second ?? "")];
  const isCoarse = !`${first}${second}`.includes(".");
  return after < before || (after === before && isCoarse);
}

/** Judges by the tables of the contract, which are closed. */
function watchOf({ states, initial, terminal, transitions, tolerated, open }: Machine, pollers: number): StateWatch {
  const last = Array.from({ length: pollers }, (): LoadedConversation | undefined => undefined);
  let unknown: string | undefined;
  const isOpen = (state: string): boolean => open.some((row) => row.state === state);
  const isStep = (from: string, to: string): boolean =>
    from === to ||
    isOpen(from) ||
    isOpen(to) ||
    [...transitions, ...tolerated].some((row) => row.from === from && row.to === to);
  // A read may come from a copy that lags behind; only what cannot be an older version is a step.
  const isStale = (from: LoadedConversation, to: LoadedConversation): boolean =>
    to.state === initial && mayBeOlder(from.updated, to.updated);
  const judged = (
    view: LoadedConversation,
    isLegal: (state: string) => boolean,
    keep: (view: LoadedConversation) => void,
  ): StateCode | undefined => {
    if (view.state === undefined) {
      return "bad-answer";
    }
    if (!states.includes(view.state)) {
      const isNew = view.state !== unknown;
      unknown = view.state;
      return isNew ? "unknown-state" : undefined;
    }
    const isFine = isLegal(view.state);
    keep(view);
    return isFine ? undefined : "illegal-transition";
  };
  return {
    created: (view) =>
      judged(
        view,
        (state) => state === initial || isOpen(state),
        (seen) => void last.fill(seen),
      ),
    seen(view, poller = 0) {
      const before = last[poller];
      const isLegal = (state: string): boolean =>
        before?.state === undefined || isStep(before.state, state) || isStale(before, view);
      return judged(view, isLegal, (seen) => {
        last[poller] = seen;
      });
    },
    isTerminal: (state) => state !== undefined && terminal.includes(state),
  };
}

/** A new watch for so many pollers [1], by the machine of that interface. Source: conversation-api, section 3. */
export const stateWatch = (name: ConversationInterface, pollers = 1): StateWatch =>
  watchOf(name === "legacy" ? legacyMachine : currentMachine, pollers);
