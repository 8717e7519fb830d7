import { judgedBy, notObservable, partlyJudgedBy, sentence } from "./sentence.ts";
import type { Sentence } from "./sentence.ts";

/** Section 6: the format of events, and what each event carries. */
export const events: readonly Sentence[] = [
  sentence(
    "search-stream#6.1-two-fields",
    "An event consists of the fields `event` and `data`, on a line each, and of nothing else.",
    judgedBy("stream/two-fields", "stream/lines-end-with-lf", "stream/no-byte-order-mark"),
  ),
  sentence(
    "search-stream#6.2-two-newlines-between-events",
    "Between two events stand two line feeds.",
    judgedBy("stream/one-blank-line-between-events", "stream/lines-end-with-lf", "stream/last-event-is-complete"),
  ),
  sentence(
    "search-stream#6.3-event-names-the-type",
    "The field `event` names the type of the event.",
    judgedBy("stream/two-fields"),
  ),
  sentence(
    "search-stream#6.4-data-is-json",
    "The field `data` holds JSON, whatever the event.",
    judgedBy("stream/data-is-json", "stream/text-is-utf-8"),
  ),
  sentence(
    "search-stream#6.5-other-clients",
    "Clients made for server-sent events in general may fail on the stream.",
    notObservable("it withholds a promise; findings say what such a client would have seen"),
  ),
  sentence(
    "search-stream#6.6-matches",
    "`matches` carries an array of matches of the six types.",
    judgedBy("stream/matches-is-an-array", "stream/match-type-is-listed"),
  ),
  sentence(
    "search-stream#6.7-progress",
    "`progress` carries a progress: counts of matches and repositories, the time taken, and what was skipped.",
    judgedBy("stream/progress-fits-schema"),
  ),
  sentence(
    "search-stream#6.8-filters",
    "`filters` carries an array of filters that would narrow the search.",
    partlyJudgedBy("that a suggested filter narrows the search", "stream/filters-fit-schema"),
  ),
  sentence(
    "search-stream#6.9-alert",
    "`alert` carries an object with a message that informs, warns or reports an error.",
    partlyJudgedBy("that there is a message in it, whose field is not given", "stream/alert-is-an-object"),
  ),
  sentence(
    "search-stream#6.10-done",
    "`done` carries an object without members and comes last.",
    judgedBy("stream/done-is-last", "stream/done-is-an-empty-object"),
  ),
  sentence(
    "search-stream#6.11-filters-repeat",
    "`filters` may come again, with more entries than before.",
    judgedBy("stream/filters-only-grow"),
  ),
];
