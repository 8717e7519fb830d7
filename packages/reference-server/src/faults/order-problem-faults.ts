import type { EventEffect } from "./event-transforms.ts";
import type { Fault } from "./fault.ts";
import type { FaultRun } from "./fault-run.ts";
import { howParameter, variantOf } from "./fault-variants.ts";
import type { Variants } from "./fault-variants.ts";
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
  {
    id: "problem-without-alert",
    title: "a problem without an alert",
    description:
      "A query that cannot be run is answered with an `error` instead of an alert, alone or behind a final progress.",
    kind: "violation",
    attacks: "stream/problem-has-alert",
    parameters: howParameter(errorPlaces),
    ...replaceReasons((alert, run) => variantOf(errorPlaces, run)?.(alert)),
  },
  {
    id: "problem-silent",
    title: "a problem without a word",
    description: "A query that cannot be run is answered with `done` alone.",
    kind: "violation",
    attacks: "stream/problem-has-alert",
    ...replaceReasons(() => []),
  },
  {
    id: "problem-as-empty-search",
    title: "a problem that looks like a search",
    description: "A query that cannot be run is answered with the final progress of a search that found nothing.",
    kind: "violation",
    attacks: "stream/broken-query-has-alert",
    ...replaceReasons(() => [emptyProgress(true)]),
  },
  {
    id: "problem-read-as-text",
    title: "a broken expression that is read as a text",
    description: "A regular expression that is a parenthesis alone finds the parenthesis.",
    kind: "legal",
    ...searchWith((parameters) =>
      /^(?:patternType:regexp \(|\( patternType:regexp)$/iu.test(parameters.q.trim())
        ? { ...parameters, q: '"("', patternType: "standard" }
        : undefined,
    ),
  },
];
