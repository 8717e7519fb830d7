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
   * Checks the next read of a poller; `poller` counts from 0. Default: 0. Compares each read only with earlier reads of the same
   * poller, since reads of different pollers overtake each other. Reports an unknown state once.
   */
  seen(view: LoadedConversation, poller?: number): StateCode | undefined;
  /** Reports whether the state is final. */
  isTerminal(state: string | undefined): boolean;
}

type Machine = Pick<ConversationMachine, "states" | "initial" | "terminal" | "transitions" | "tolerated" | "open">;

/** Reports whether `first` may be older than `second`: strictly older, or of the same second if both have whole seconds. */
function canBeOlder(first: string | undefined, second: string | undefined): boolean {
  const [firstMs, secondMs] = [Date.parse(first ?? ""), Date.parse(second ?? "")];
  const hasWholeSeconds = !`${first}${second}`.includes(".");
  return firstMs < secondMs || (firstMs === secondMs && hasWholeSeconds);
}

/** Creates a watch that checks against the closed tables of `contract`. */
function createMachineWatch(
  { states, initial, terminal, transitions, tolerated, open }: Machine,
  pollers: number,
): StateWatch {
  const lastViews = Array.from({ length: pollers }, (): LoadedConversation | undefined => undefined);
  let reportedState: string | undefined;
  const isOpen = (state: string): boolean => open.some((row) => row.state === state);
  const isAllowedTransition = (from: string, to: string): boolean =>
    from === to ||
    isOpen(from) ||
    isOpen(to) ||
    [...transitions, ...tolerated].some((row) => row.from === from && row.to === to);
  // A replica may lag, so a read of an older version is not a transition.
  const isStale = (from: LoadedConversation, to: LoadedConversation): boolean =>
    to.state === initial && canBeOlder(to.updated, from.updated);
  const checkState = (
    view: LoadedConversation,
    isLegal: (state: string) => boolean,
    saveView: (view: LoadedConversation) => void,
  ): StateCode | undefined => {
    if (view.state === undefined) {
      return "bad-answer";
    }
    if (!states.includes(view.state)) {
      const isNew = view.state !== reportedState;
      reportedState = view.state;
      return isNew ? "unknown-state" : undefined;
    }
    const isLegalState = isLegal(view.state);
    saveView(view);
    return isLegalState ? undefined : "illegal-transition";
  };
  return {
    created: (view) =>
      checkState(
        view,
        (state) => state === initial || isOpen(state),
        (validView) => void lastViews.fill(validView),
      ),
    seen(view, poller = 0) {
      const previousView = lastViews[poller];
      const isLegal = (state: string): boolean =>
        previousView?.state === undefined ||
        isAllowedTransition(previousView.state, state) ||
        isStale(previousView, view);
      return checkState(view, isLegal, (validView) => {
        lastViews[poller] = validView;
      });
    },
    isTerminal: (state) => state !== undefined && terminal.includes(state),
  };
}

/** Creates a watch for a number of pollers. Source: conversation-api, section 3. */
export const stateWatch = (name: ConversationInterface, pollers = 1): StateWatch =>
  createMachineWatch(name === "legacy" ? legacyMachine : currentMachine, pollers);
