import type { StreamEvent } from "@assay/stream-grammar";
import { member } from "@assay/reading";
import { isInformational } from "./alert-level.ts";
import { countMatches } from "./matches/read-matches.ts";
import { isCutReason, skippedEntries } from "./skipped-entry.ts";

/** Reasons why the matches of a stream may differ from what the target counts. */
export interface StreamGaps {
  /** Whether an event was lost because a field was missing or unreadable. */
  hasLostEvent: boolean;
  /** Whether a `matches` event was not an array, so that its content is unknown. */
  hasUnreadableMatches: boolean;
  /** Whether there was an error, or an alert that is not only informational. */
  hasProblem: boolean;
  /** Whether there was an event `error`. */
  hasErrorEvent: boolean;
  /** Whether there were skipped entries. */
  hasSkipped: boolean;
  /** Whether a skip reason means that results were cut off. */
  isCutOff: boolean;
}

/** Returns the gaps of a stream before its first event: none. */
export const noGaps = (): StreamGaps => ({
  hasLostEvent: false,
  hasUnreadableMatches: false,
  hasProblem: false,
  hasErrorEvent: false,
  hasSkipped: false,
  isCutOff: false,
});

/** Reports whether the stream may lack matches that the target counts. */
export const mayLackMatches = (gaps: Readonly<StreamGaps>): boolean =>
  gaps.hasUnreadableMatches || gaps.hasProblem || gaps.hasSkipped || gaps.hasLostEvent;

/** Adds the gaps that an event shows. */
export function addGaps(gaps: StreamGaps, event: StreamEvent): void {
  const { name, value } = event;
  if (name === "matches") {
    gaps.hasUnreadableMatches ||= countMatches(event) === undefined;
  } else if (name === "progress") {
    const entries = skippedEntries(value);
    gaps.hasSkipped ||= entries.length > 0;
    gaps.isCutOff ||= entries.some((entry) => isCutReason(member(entry, "reason")));
  } else if (name === "alert" || name === "error") {
    gaps.hasErrorEvent ||= name === "error";
    gaps.hasProblem ||= gaps.hasErrorEvent || !isInformational(value);
  }
}
