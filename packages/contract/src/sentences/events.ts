import type { SentenceRows } from "./sentence-row.ts";

/** Section 6: the format of events, and what each event carries. */
export const events = {
  "search-stream#6.1-two-fields":
    "An event consists of the fields `event` and `data`, on a line each, and of nothing else.",
  "search-stream#6.2-two-newlines-between-events": "Between two events stand two line feeds.",
  "search-stream#6.3-event-names-the-type": "The field `event` names the type of the event.",
  "search-stream#6.4-data-is-json": "The field `data` holds JSON, whatever the event.",
  "search-stream#6.5-other-clients": {
    text: "Clients made for server-sent events in general may fail on the stream.",
    notObservable: "it withholds a promise; findings say what such a client would have seen",
  },
  "search-stream#6.6-matches": "`matches` carries an array of matches of the six types.",
  "search-stream#6.7-progress":
    "`progress` carries a progress: counts of matches and repositories, the time taken, and what was skipped.",
  "search-stream#6.8-filters": {
    text: "`filters` carries an array of filters that would narrow the search.",
    partly: "that a suggested filter narrows the search",
  },
  "search-stream#6.9-alert": {
    text: "`alert` carries an object with a message that informs, warns or reports an error.",
    partly: "that there is a message in it, whose field is not given",
  },
  "search-stream#6.10-done": "`done` carries an object without members and comes last.",
  "search-stream#6.11-filters-repeat": "`filters` may come again, with more entries than before.",
} as const satisfies SentenceRows;
