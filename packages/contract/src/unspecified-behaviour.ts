import { inTheBody, inTheHead, observed } from "./unspecified-row.ts";
import type { UnspecifiedRow } from "./unspecified-row.ts";
import { currentUnspecified } from "./current-unspecified.ts";
import { legacyUnspecified } from "./legacy-unspecified.ts";

const migrationUnspecified = {
  "migration/numbers-in-names": {
    origin: "silent",
    unknown: "whether the name of a conversation ends in its number in the legacy interface",
    accepted: ["the number is the last part of the name", "another last part, such as a random one"],
    recorded: observed("for conversations that are not found under their id in the other interface"),
    requirements: ["conversation-api#2.4.1-names-replace-ids", "conversation-api#9.9-ids-become-names"],
  },
  "migration/canceled-question": {
    origin: "silent",
    unknown: "the legacy status of a conversation that is canceled in the current interface",
    accepted: ["completed, with an error or without", "any other status"],
    recorded: observed("with both values"),
    requirements: ["conversation-api#9.11-status-becomes-state", "conversation-api#3.1.9-after-cancellation"],
  },
} as const satisfies Readonly<Record<string, UnspecifiedRow>>;

/**
 * What the specification of the conversation API leaves open: of its legacy interface, its current one, and both
 * together.
 */
const conversationUnspecified = { ...legacyUnspecified, ...currentUnspecified, ...migrationUnspecified } as const;

export type { UnspecifiedRow };

const notShown = {
  "stream/path-match-fields": {
    origin: "not-shown",
    unknown: "which fields a match of type path has besides `type`",
    accepted: ["any fields, also none"],
    recorded: inTheBody,
    requirements: ["search-stream#2.3.15-path-match-fields"],
  },
  "stream/commit-match-fields": {
    origin: "not-shown",
    unknown: "which fields a match of type commit has besides `type`",
    accepted: ["any fields, also none"],
    recorded: inTheBody,
    requirements: ["search-stream#2.3.16-commit-match-fields"],
  },
  "stream/diff-match-fields": {
    origin: "not-shown",
    unknown: "which fields a match of type diff has besides `type`",
    accepted: ["any fields, also none", "no match of this type at all, diffs being delivered as commits"],
    recorded: inTheBody,
    requirements: ["search-stream#2.3.17-diff-match-fields"],
  },
  "stream/symbol-match-fields": {
    origin: "not-shown",
    unknown: "which fields a match of type symbol has besides `type`",
    accepted: ["any fields, also none"],
    recorded: inTheBody,
    requirements: ["search-stream#2.3.18-symbol-match-fields"],
  },
  "stream/repo-match-fields": {
    origin: "not-shown",
    unknown: "which fields a match of type repo has besides `type`",
    accepted: ["any fields, also none"],
    recorded: inTheBody,
    requirements: ["search-stream#2.3.19-repo-match-fields"],
  },
  "stream/chunk-match-fields": {
    origin: "not-shown",
    unknown: "which fields a chunk match has besides `context`, and in which field of a content match it arrives",
    accepted: ["any further fields of any type", "any field of the content match that is not documented otherwise"],
    recorded: inTheBody,
    requirements: ["search-stream#2.3.20-chunk-match-fields"],
  },
  "stream/alert-payload": {
    origin: "not-shown",
    unknown: "which fields the object of an alert has",
    accepted: ["any fields, besides the one that has the level"],
    recorded: inTheBody,
    requirements: ["search-stream#2.3.21-alert-payload"],
  },
  "stream/alert-level": {
    origin: "not-shown",
    unknown: "which field of an alert has its level",
    accepted: ["any field, also one of an object or a list in the alert"],
    recorded: "a note with the code `alert-level` that names the field, or reports that there is none",
    requirements: ["search-stream#7.2-alert-level"],
  },
  "stream/token-refresh": {
    origin: "not-shown",
    unknown: "how tokens expire and are renewed",
    accepted: ["any way, also tokens that never expire"],
    recorded: "nothing; you give a run its tokens",
    requirements: ["search-stream#5.5-token-refresh"],
  },
  "stream/non-stream-status": {
    origin: "not-shown",
    unknown: "the status of a response that is not a stream",
    accepted: [
      "any status of the classes 4xx and 5xx",
      "a redirection",
      "status 200 and a stream that reports the error",
    ],
    recorded: inTheHead,
    requirements: ["search-stream#7.4-http-status"],
  },
  "stream/non-stream-error-body": {
    origin: "not-shown",
    unknown: "the body of an error response that is not a stream",
    accepted: ["any body of any type, also none"],
    recorded: inTheBody,
    requirements: ["search-stream#7.5-error-body"],
  },
  "stream/rate-limits": {
    origin: "not-shown",
    unknown: "the rate limit, and the form of a refusal because of it",
    accepted: ["no limit", "any limit, refused in any way"],
    recorded: inTheHead,
    requirements: ["search-stream#8.6-rate-limits"],
  },
} as const satisfies Record<string, UnspecifiedRow>;

const unmentionedFormat = {
  "stream/field-order": {
    origin: "silent",
    unknown: "which of the two fields of an event comes first",
    accepted: ["`event` before `data`", "`data` before `event`"],
    recorded: "a note with the code `field-order` for events that begin with `data`",
    requirements: ["search-stream#6.1-two-fields"],
  },
  "stream/space-after-colon": {
    origin: "silent",
    unknown: "whether a space follows the colon of a field",
    accepted: ["one space", "no space"],
    recorded: "a note with the code `no-space-after-colon` for fields without one",
    requirements: ["search-stream#6.1-two-fields"],
  },
  "stream/last-separator": {
    origin: "silent",
    unknown: "whether the newlines that separate events also follow the last one",
    accepted: ["two newlines", "one newline", "no newline after the last character of the last event"],
    recorded: "a note with the code `no-last-separator` for streams that end with fewer than two",
    requirements: ["search-stream#6.2-two-newlines-between-events"],
  },
  "stream/unlisted-event-names": {
    origin: "silent",
    unknown: "whether events with other names than the five listed ones may be sent, such as one for errors",
    accepted: ["only the five names", "further names with any JSON as data"],
    recorded: "a note with the code `unlisted-event-name`",
    requirements: ["search-stream#6.3-event-names-the-type"],
  },
  "stream/response-content-type": {
    origin: "silent",
    unknown: "which content type the response has",
    accepted: ["`text/event-stream` with or without parameters", "another type", "none"],
    recorded: inTheHead,
    requirements: ["search-stream#4.14-response-format"],
  },
  "stream/null-for-absent": {
    origin: "silent",
    unknown: "which fields may have no value, and whether such a field is left out; only `hunks` may be null",
    accepted: [
      "a field that need not be present is left out",
      "the field has its zero value, such as an empty text where any text is allowed, or an empty array",
    ],
    recorded: inTheBody,
    requirements: [
      "search-stream#2.2.6-trace",
      "search-stream#2.2.11-skipped-suggested",
      "search-stream#2.3.3-path-matches",
      "search-stream#2.3.6-repo-stars",
      "search-stream#2.3.7-repo-last-fetched",
      "search-stream#2.3.8-branches",
      "search-stream#2.3.9-commit",
      "search-stream#2.3.10-hunks",
      "search-stream#2.3.11-line-matches",
      "search-stream#2.3.12-language",
    ],
  },
  "stream/progress-without-skipped": {
    origin: "silent",
    unknown: "whether a progress has `skipped` if no results are missing",
    accepted: ["an empty array", "the field is left out"],
    recorded: inTheBody,
    requirements: ["search-stream#2.2.5-skipped"],
  },
  "stream/positions": {
    origin: "silent",
    unknown: "whether lines and columns count from 0 or 1, and offsets in bytes, code points or UTF-16 units",
    accepted: ["any of them", "different ones in different fields"],
    recorded: inTheBody,
    requirements: ["search-stream#2.3.3-path-matches", "search-stream#2.3.11-line-matches"],
  },
  "stream/match-count-unit": {
    origin: "silent",
    unknown: "what `matchCount` counts: elements of `matches`, highlighted ranges, or matches found and not delivered",
    accepted: ["any of them"],
    recorded: inTheBody,
    requirements: ["search-stream#2.2.3-match-count"],
  },
} as const satisfies Record<string, UnspecifiedRow>;

const unmentionedBehaviour = {
  "stream/number-of-progress-events": {
    origin: "silent",
    unknown: "the number of progress events and the time between them",
    accepted: ["only the final one", "any number at any distance"],
    recorded: inTheBody,
    requirements: ["search-stream#3.2-searching"],
  },
  "stream/alert-after-final-progress": {
    origin: "silent",
    unknown: "whether an alert may arrive between the final progress and `done`",
    accepted: ["alerts anywhere before `done`"],
    recorded: inTheBody,
    requirements: ["search-stream#6.9-alert"],
  },
  "stream/stream-without-search": {
    origin: "silent",
    unknown: "whether a stream that reports why no search ran has progress events",
    accepted: ["only alerts and `done`, with errors or without", "a final progress as well"],
    recorded: inTheBody,
    requirements: ["search-stream#7.1-problems-are-alerts"],
  },
  "stream/empty-results": {
    origin: "silent",
    unknown: "whether `matches` and `filters` are sent with an empty array",
    accepted: ["an event with an empty array", "no event"],
    recorded: inTheBody,
    requirements: ["search-stream#6.6-matches", "search-stream#6.8-filters"],
  },
  "stream/missing-q": {
    origin: "silent",
    unknown: "what happens to a request without `q` or with an empty one",
    accepted: ["an error response", "a stream that reports the problem and closes with `done`", "a search for nothing"],
    recorded: inTheHead,
    requirements: ["search-stream#4.4-q"],
  },
  "stream/undocumented-parameter-values": {
    origin: "silent",
    unknown: "what happens to values outside the documented ones and to parameters the specification does not list",
    accepted: ["ignored", "replaced by the default", "an error response", "a stream that reports the problem"],
    recorded: inTheHead,
    requirements: ["search-stream#4.3-query-string"],
  },
  "stream/display-below-one": {
    origin: "silent",
    unknown: "what `display` means when it is 0 or less than -1",
    accepted: ["0 as no matches or as no limit", "every negative number as no limit or as an error"],
    recorded: inTheBody,
    requirements: ["search-stream#4.9-display"],
  },
  "stream/own-maximum-of-matches": {
    origin: "silent",
    unknown: "whether a search without `display` and `count:` has its own maximum number of matches",
    accepted: ["no maximum", "a maximum of the target's choice"],
    recorded: inTheBody,
    requirements: ["search-stream#8.3-match-limits-exist"],
  },
  "stream/matches-beyond-count": {
    origin: "silent",
    unknown: "how many matches a search with `count:` and a number finds before it stops",
    accepted: ["exactly that number", "more, but fewer than without the filter"],
    recorded: "a note with the code `matches-beyond-count` for searches that delivered more",
    requirements: ["search-stream#4.11-count-filter"],
  },
  "stream/display-in-skipped": {
    origin: "silent",
    unknown: "whether `skipped` names matches that were not returned because of `display`",
    accepted: ["an entry about it", "no entry"],
    recorded: inTheBody,
    requirements: ["search-stream#4.9-display", "search-stream#7.3-cut-results-are-skipped-entries"],
  },
  "stream/suggested-count": {
    origin: "silent",
    unknown: "which number a reached limit suggests to a search for 1000 matches or more, or without a number",
    accepted: ["1000", "another number above the limit"],
    recorded: "a note with the code `other-suggested-count` for other numbers",
    requirements: ["search-stream#8.5-suggested-count"],
  },
  "stream/line-length-unit": {
    origin: "silent",
    unknown: "the unit of `max-line-len`, and how a shortened line ends",
    accepted: ["bytes", "code points", "UTF-16 units", "any ending within that length"],
    recorded: inTheBody,
    requirements: ["search-stream#4.7-max-line-len"],
  },
  "stream/refusal-of-credentials": {
    origin: "silent",
    unknown: "how a search without the needed credentials is refused",
    accepted: ["an error response", "a redirection", "a stream without matches"],
    recorded: inTheHead,
    requirements: ["search-stream#5.4-public-instance"],
  },
} as const satisfies Record<string, UnspecifiedRow>;

const unspecified = {
  ...notShown,
  ...unmentionedFormat,
  ...unmentionedBehaviour,
  ...conversationUnspecified,
} as const satisfies Record<string, UnspecifiedRow>;

/** Id of an unspecified behaviour. */
export type UnspecifiedId = keyof typeof unspecified;

/** An unspecified behaviour. */
export interface Unspecified extends UnspecifiedRow {
  readonly id: UnspecifiedId;
}

/** Reports whether a string is the id of an unspecified behaviour. */
export const isUnspecifiedId = (id: string): id is UnspecifiedId => Object.hasOwn(unspecified, id);

/**
 * The unspecified behaviour of both specifications, the streaming search first. Of each interface, first what the
 * specification says it does not show, then what it does not mention.
 */
export const unspecifiedBehaviour: readonly Unspecified[] = Object.keys(unspecified)
  .filter(isUnspecifiedId)
  .map((id) => ({ id, ...unspecified[id] }));
