import type { StreamEvent } from "@assay/stream-grammar";
import { runAllowance, searchAllowance } from "./allowance.ts";
import type { Allowance } from "./allowance.ts";
import { isOnlyInforming } from "./alert-level.ts";
import { eachMatch } from "./each-match.ts";
import type { FoundFile } from "./found-file.ts";
import { isRecord, member } from "@assay/reading";
import { emptyDraft, takeMatch } from "./result-draft.ts";
import type { FoundThing, ResultDraft, SuggestedFilter } from "./result-draft.ts";

/** What one search found, for comparing it with another one; bounded, whatever the size of the stream. */
export interface ResultFacts {
  /** Whether there was more than is kept here, or something that could not be read: then nothing may be concluded. */
  readonly isPartial: boolean;
  /** Whether texts are missing because there were too many; what was found is complete all the same. */
  readonly lacksText: boolean;
  /** Files with content matches, by repository and path. */
  readonly files: ReadonlyMap<string, FoundFile>;
  /** What was found by matches of other types, each thing once. */
  readonly others: ReadonlyMap<string, FoundThing>;
  /** How many matches of each type do not say what they are a match of. */
  readonly unidentified: ReadonlyMap<string, number>;
  /** Highlighted ranges of all matches; a match without any counts as one. */
  readonly highlights: number;
  /** `matchCount` of the final progress; `undefined` without one, or when it is no number. */
  readonly matchCount: number | undefined;
  /** `repositoriesCount` of the final progress; `undefined` without one, or when it is no number. */
  readonly repositoriesCount: number | undefined;
  /** Whether a progress had anything in `skipped`. */
  readonly hasSkipped: boolean;
  /** Whether an alert came that may tell of missing results: any but one that only informs. */
  readonly hasSevereAlert: boolean;
  /** Reasons of all skipped entries, at most 50; what is no short text stands there as an empty one. */
  readonly skippedReasons: ReadonlySet<string>;
  /** Filters of the last suggestions, with the number of matches that each of them counts; at most 50 short ones. */
  readonly suggested: ReadonlyMap<string, SuggestedFilter>;
}

/** Collects what a search finds while its events come. */
export interface ResultCollector {
  takeMatches(event: StreamEvent): void;
  takeProgress(event: StreamEvent): void;
  takeFilters(event: StreamEvent): void;
  takeAlert(event: StreamEvent): void;
  /** What was found; `hasLostEvent` when the stream had events that were not shown. */
  build(hasLostEvent: boolean): ResultFacts;
}

const maxReasons = 50;
const maxReasonLength = 100;

function takeMatches(draft: ResultDraft, event: StreamEvent): void {
  // Without an array nobody knows what was found.
  draft.isPartial ||= !Array.isArray(event.value);
  eachMatch(event, (match) => takeMatch(draft, match));
}

function takeReason({ skippedReasons }: ResultDraft, entry: unknown): void {
  const reason = member(entry, "reason");
  if (skippedReasons.size < maxReasons) {
    skippedReasons.add(typeof reason === "string" && reason.length <= maxReasonLength ? reason : "");
  }
}

function takeSkipped(draft: ResultDraft, skipped: unknown): void {
  if (skipped === undefined || skipped === null) {
    return;
  }
  const entries: readonly unknown[] = Array.isArray(skipped) ? skipped : [skipped];
  draft.hasSkipped ||= entries.length > 0;
  for (const entry of entries) {
    takeReason(draft, entry);
  }
}

const numberOf = (value: unknown): number | undefined => (Number.isFinite(value) ? Number(value) : undefined);

function takeProgress(draft: ResultDraft, { value }: StreamEvent): void {
  draft.isPartial ||= !isRecord(value);
  takeSkipped(draft, member(value, "skipped"));
  if (member(value, "done") === true) {
    draft.matchCount = numberOf(member(value, "matchCount"));
    draft.repositoriesCount = numberOf(member(value, "repositoriesCount"));
  }
}

const maxSuggested = 50;
const maxValueLength = 500;

function takeFilters(draft: ResultDraft, { value }: StreamEvent): void {
  const filters: readonly unknown[] = Array.isArray(value) ? value : [];
  const suggested = new Map<string, SuggestedFilter>();
  for (const filter of filters.slice(0, maxSuggested)) {
    const [text, count] = [member(filter, "value"), member(filter, "count")];
    if (typeof text === "string" && text.length <= maxValueLength && typeof count === "number") {
      suggested.set(text, { count, isExhaustive: member(filter, "exhaustive") === true });
    }
  }
  draft.suggested = suggested.size > 0 ? suggested : draft.suggested;
}

/**
 * A collector for one search. It keeps at most 20,000 found things and 4 Mi characters of text, and no more than `shared`
 * still has for all searches together.
 */
export function createResultCollector(shared: Allowance = runAllowance()): ResultCollector {
  const draft = emptyDraft([searchAllowance(), shared]);
  return {
    takeMatches: (event) => takeMatches(draft, event),
    takeProgress: (event) => takeProgress(draft, event),
    takeFilters: (event) => takeFilters(draft, event),
    takeAlert: ({ value }) => {
      draft.hasSevereAlert ||= !isOnlyInforming(value);
    },
    build(hasLostEvent) {
      const { allowances: _, ...facts } = draft;
      return { ...facts, isPartial: facts.isPartial || hasLostEvent };
    },
  };
}
