import type { SearchEvent } from "../stream/search-event.ts";
import type { Dice } from "./dice.ts";

const alerts = [
  {},
  { title: "No results", description: "**Nothing** was found.\n\n* try less", proposedQueries: null },
  { title: "Some results have no owners", kind: "unowned-results", level: "info", proposedQueries: [] },
  { message: "something went wrong", level: "error" },
  { title: "Permissions syncing in progress", severity: "warning", proposedQueries: [{ query: "a", annotations: [] }] },
] as const;

const unlisted: readonly [SearchEvent, ...SearchEvent[]] = [
  { name: "notice", data: { text: "warming up" } },
  { name: "heartbeat", data: null },
  { name: "x-debug.v2", data: "a text, not an object" },
  { name: "Matches", data: { type: "not what the name suggests" } },
  { name: "error", data: { message: "a backend did not answer" } },
  { name: "stats", data: [1, 2.5, "three", null] },
];

const emptyResults: readonly [SearchEvent, ...SearchEvent[]] = [
  { name: "matches", data: [] },
  { name: "filters", data: [] },
];

/** An alert; its payload is not shown by the document. Source: search-stream, sections 6 and 7. */
export const newAlert = (dice: Dice): SearchEvent => ({ name: "alert", data: dice.pick<unknown>(alerts) });

/** An event under a name that the document does not list. */
export const unlistedEvent = (dice: Dice): SearchEvent => dice.pick(unlisted);

/** A `matches` or `filters` with an empty array. */
export const emptyResult = (dice: Dice): SearchEvent => dice.pick(emptyResults);

/** A progress of a search that found nothing. */
export const emptyProgress = (done: boolean): SearchEvent => ({
  name: "progress",
  data: { done, ...(done ? { repositoriesCount: 0 } : {}), matchCount: 0, durationMs: 0, skipped: [] },
});
