import type { EventEffect } from "./event-transforms.ts";
import { type Fault, type Variants, howParameter, legal, variantOf, violating } from "./fault.ts";
import type { FaultRun } from "./fault-run.ts";
import { searchWith } from "./parameter-transforms.ts";
import { isPayloadObject } from "../payload.ts";
import { emptyProgress } from "../variations/inserted-events.ts";
import type { SearchEvent } from "../stream/search-event.ts";

/** Puts other events in the place of alerts that come before anything a search sends. */
const replaceReasons = (
  replace: (alert: SearchEvent, run: FaultRun) => readonly SearchEvent[] | undefined,
): EventEffect => ({
  layer: "events",
  async *apply(events, run) {
    let isSearch = false;
    for await (const event of events) {
      isSearch ||= ["matches", "filters", "progress"].includes(event.name);
      if (event.name !== "alert" || isSearch) {
        yield event;
        continue;
      }
      run.applied();
      yield* replace(event, run) ?? [event];
    }
  },
});

const errorOf = ({ data }: SearchEvent): SearchEvent => ({
  name: "error",
  data: { message: isPayloadObject(data) ? String(data["description"]) : "the query cannot be run" },
});

const errorPlaces: Variants<(alert: SearchEvent) => readonly SearchEvent[]> = {
  alone: (alert) => [errorOf(alert)],
  "behind-progress": (alert) => [emptyProgress(true), errorOf(alert)],
};

/** Faults in how a search that cannot be run is answered. */
export const orderProblemFaults: readonly Fault[] = [
  violating("stream/problem-has-alert", "problem-without-alert")(
    "A query that cannot be run is answered with an `error` instead of an alert, alone or behind a final progress.",
    replaceReasons((alert, run) => variantOf(errorPlaces, run)?.(alert)),
    howParameter(errorPlaces),
  ),
  violating("stream/problem-has-alert", "problem-silent")(
    "A query that cannot be run is answered with `done` alone.",
    replaceReasons(() => []),
  ),
  violating("stream/broken-query-has-alert", "problem-as-empty-search")(
    "A query that cannot be run is answered with the final progress of a search that found nothing.",
    replaceReasons(() => [emptyProgress(true)]),
  ),
  legal("problem-read-as-text")(
    "A regular expression that is a parenthesis alone finds the parenthesis.",
    searchWith((parameters) =>
      /^(?:patternType:regexp \(|\( patternType:regexp)$/iu.test(parameters.q.trim())
        ? { ...parameters, q: '"("', patternType: "standard" }
        : undefined,
    ),
  ),
];
