import type { StreamEvent } from "@assay/stream-grammar";
import { runAllowance, searchAllowance } from "./allowance.ts";
import type { Allowance } from "./allowance.ts";
import { isInformational } from "./alert-level.ts";
import type { FoundFile } from "./found-file.ts";
import type { Match } from "./matches/match.ts";
import { countMatches } from "./matches/read-matches.ts";
import { isRecord, member } from "@assay/reading";
import { emptyDraft, addMatch } from "./result-draft.ts";
import type { FoundItem, ResultDraft, SuggestedFilter } from "./result-draft.ts";

/** The results of one search, for comparisons. Bounded in size for any stream. */
export interface ResultFacts {
  /** Whether results are missing here because there were too many or some were unreadable. Such results prove nothing. */
  readonly isPartial: boolean;
  /** Whether texts are missing because there were too many. Everything else is complete. */
  readonly lacksText: boolean;
  /** Files with content matches, by repository and path. */
  readonly files: ReadonlyMap<string, FoundFile>;
  /** Subjects of matches of all other types, each once. */
  readonly otherItems: ReadonlyMap<string, FoundItem>;
  /** Number of matches of each type that do not name their subject. */
  readonly unidentifiedCounts: ReadonlyMap<string, number>;
  /** Number of highlighted ranges in all matches. A match without ranges counts as one. */
  readonly highlights: number;
  /** `matchCount` of the final `progress` event. Undefined if it is missing or not a number. */
  readonly matchCount: number | undefined;
  /** `repositoriesCount` of the final `progress` event. Undefined if it is missing or not a number. */
  readonly repositoriesCount: number | undefined;
  /** Whether a `progress` event had entries in `skipped`. */
  readonly hasSkipped: boolean;
  /** Whether an alert may mean that results are missing: any alert that is not only informational. */
  readonly hasSevereAlert: boolean;
  /** The reasons of all skipped entries, at most 50. A reason that is not a short string is kept as an empty string. */
  readonly skippedReasons: ReadonlySet<string>;
  /** The last suggested filters. At most 50, and only short ones. */
  readonly suggestedFilters: ReadonlyMap<string, SuggestedFilter>;
}

/** Collects the results of a search while its events arrive. */
export interface ResultCollector {
  /** Adds a `matches` event, whose elements follow. */
  addMatches(event: StreamEvent): void;
  addMatch(match: Match): void;
  addProgress(event: StreamEvent): void;
  addFilters(event: StreamEvent): void;
  addAlert(event: StreamEvent): void;
  /** Returns the results. Set `hasLostEvent` if the stream had events that were not passed on. */
  build(hasLostEvent: boolean): ResultFacts;
}

/** Limits of the skip reasons kept for a search. */
const maxReasons = 50;
const maxReasonLength = 100;

function addMatches(draft: ResultDraft, event: StreamEvent): void {
  // Without an array the results are unknown.
  draft.isPartial ||= countMatches(event) === undefined;
}

function addReason({ skippedReasons }: ResultDraft, entry: unknown): void {
  const reason = member(entry, "reason");
  if (skippedReasons.size < maxReasons) {
    skippedReasons.add(typeof reason === "string" && reason.length <= maxReasonLength ? reason : "");
  }
}

function addSkipped(draft: ResultDraft, skipped: unknown): void {
  if (skipped === undefined || skipped === null) {
    return;
  }
  const entries: readonly unknown[] = Array.isArray(skipped) ? skipped : [skipped];
  draft.hasSkipped ||= entries.length > 0;
  for (const entry of entries) {
    addReason(draft, entry);
  }
}

const toFiniteNumber = (value: unknown): number | undefined => (Number.isFinite(value) ? Number(value) : undefined);

function addProgress(draft: ResultDraft, { value }: StreamEvent): void {
  draft.isPartial ||= !isRecord(value);
  addSkipped(draft, member(value, "skipped"));
  if (member(value, "done") === true) {
    draft.matchCount = toFiniteNumber(member(value, "matchCount"));
    draft.repositoriesCount = toFiniteNumber(member(value, "repositoriesCount"));
  }
}

/** Limits of the suggested filters kept for a search. Longer filters are ignored. */
const maxSuggestedFilters = 50;
const maxFilterLength = 500;

function addFilters(draft: ResultDraft, { value }: StreamEvent): void {
  const filters: readonly unknown[] = Array.isArray(value) ? value : [];
  const suggestedFilters = new Map<string, SuggestedFilter>();
  for (const filter of filters.slice(0, maxSuggestedFilters)) {
    const [text, count] = [member(filter, "value"), member(filter, "count")];
    if (typeof text === "string" && text.length <= maxFilterLength && typeof count === "number") {
      suggestedFilters.set(text, { count, isExhaustive: member(filter, "exhaustive") === true });
    }
  }
  draft.suggestedFilters = suggestedFilters.size > 0 ? suggestedFilters : draft.suggestedFilters;
}

/**
 * Creates a collector for one search. It keeps at most 20,000 items and 4 Mi characters of text, and no more than
 * `sharedAllowance` has left for all searches together.
 */
export function createResultCollector(sharedAllowance: Allowance = runAllowance()): ResultCollector {
  const draft = emptyDraft([searchAllowance(), sharedAllowance]);
  return {
    addMatches: (event) => addMatches(draft, event),
    addMatch: (match) => addMatch(draft, match),
    addProgress: (event) => addProgress(draft, event),
    addFilters: (event) => addFilters(draft, event),
    addAlert: ({ value }) => {
      draft.hasSevereAlert ||= !isInformational(value);
    },
    build(hasLostEvent) {
      const { allowances: _, ...facts } = draft;
      return { ...facts, isPartial: facts.isPartial || hasLostEvent };
    },
  };
}
