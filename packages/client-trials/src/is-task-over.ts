import type { JournalEntry } from "@assay/reference-server";
import { isTemporarilyRefused, isSearch, isTerminalState } from "./trial-facts.ts";
import type { Trial } from "./trial.ts";

/** Reports whether a task requires this call, so that its refusal ends the task. */
const isDecisive = ({ call }: JournalEntry): boolean =>
  call !== undefined && ["create", "follow-up", "cancel"].includes(call.operation);

const isFinal = (trial: Trial, entry: JournalEntry): boolean => {
  const { call, end, status = 0 } = entry;
  if (end === "open" || isTemporarilyRefused(entry)) {
    return false;
  }
  if (trial.interface === "stream") {
    return isSearch(entry);
  }
  if (status >= 400) {
    return isDecisive(entry);
  }
  return trial.task === "cancel" ? call?.operation === "cancel" : isTerminalState(call?.shown?.state);
};

/**
 * Reports whether the server has completed all requests of a task. Other requests of a client, such as a HEAD before its search, do not end
 * a task.
 */
export const isTaskOver = (trial: Trial, requests: readonly JournalEntry[]): boolean =>
  requests.every(({ end }) => end !== "open") && requests.some((entry) => isFinal(trial, entry));
