import { currentMachine, legacyMachine } from "@assay/contract";
import type { ConversationMachine } from "@assay/contract";
import type { ConversationInterface } from "./conversation-calls.ts";
import type { LoadedConversation } from "./loaded-conversation.ts";

/** Violations of the state of a conversation, or of the response that should have shown it. */
export const stateCodes = ["illegal-transition", "unknown-state", "bad-answer"] as const;
export type StateCode = (typeof stateCodes)[number];

/** Checks the states of one conversation with one question. */
export interface StateWatch {
  /** Checks the response to the creation. */
  created(view: LoadedConversation): StateCode | undefined;
  /**
   * Checks the next read of a poller, from 0 [0]. Each read is compared with earlier reads of the same poller, since
   * those of several overtake each other. An unknown state is reported once.
   */
  seen(view: LoadedConversation, poller?: number): StateCode | undefined;
  /** Reports whether the state is final. */
  isTerminal(state: string | undefined): boolean;
}

type Machine = Pick<ConversationMachine, "states" | "initial" | "terminal" | "transitions" | "tolerated" | "open">;

/** Reports whether `first` may be older than `second`: strictly older, or of the same second if both have whole seconds. */
function canBeOlder(first: string | undefined, second: string | undefined): boolean {
  const [before, after] = [Date.parse(first ?? ""), Date.parse(second ?? "")];
  const isCoarse = !`${first}${second}`.includes(".");
  return after < before || (after === before && isCoarse);
}

/** Checks against the closed tables of `contract`. */
function createWatch(
  { states, initial, terminal, transitions, tolerated, open }: Machine,
  pollers: number,
): StateWatch {
  const last = Array.from({ length: pollers }, (): LoadedConversation | undefined => undefined);
  let unknown: string | undefined;
  const isOpen = (state: string): boolean => open.some((row) => row.state === state);
  const isStep = (from: string, to: string): boolean =>
    from === to ||
    isOpen(from) ||
    isOpen(to) ||
    [...transitions, ...tolerated].some((row) => row.from === from && row.to === to);
  // A replica may lag, so a read of an older version is not a transition.
  const isStale = (from: LoadedConversation, to: LoadedConversation): boolean =>
    to.state === initial && canBeOlder(from.updated, to.updated);
  const checkState = (
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
      checkState(
        view,
        (state) => state === initial || isOpen(state),
        (seen) => void last.fill(seen),
      ),
    seen(view, poller = 0) {
      const before = last[poller];
      const isLegal = (state: string): boolean =>
        before?.state === undefined || isStep(before.state, state) || isStale(before, view);
      return checkState(view, isLegal, (seen) => {
        last[poller] = seen;
      });
    },
    isTerminal: (state) => state !== undefined && terminal.includes(state),
  };
}

/** A new watch for a number of pollers [1]. Source: conversation-api, section 3. */
export const stateWatch = (name: ConversationInterface, pollers = 1): StateWatch =>
  createWatch(name === "legacy" ? legacyMachine : currentMachine, pollers);
