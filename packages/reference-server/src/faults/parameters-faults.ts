import { searchParameters } from "@assay/contract";
import type { Refusal } from "../access.ts";
import { isPayloadArray, isPayloadObject } from "../payload.ts";
import type { PayloadObject } from "../payload.ts";
import { filterValues, withFilter, withoutFilter } from "../query/edit-filters.ts";
import { limitHit } from "../stream/skipped-entries.ts";
import { changeProgress, isFinalProgress, without } from "./event-transforms.ts";
import type { EventEffect } from "./event-transforms.ts";
import { type Fault, type FaultEffect, type Variants, howParameter, observing, variantOf, violating } from "./fault.ts";
import type { FaultRun } from "./fault-run.ts";
import { countOf, isGiven, searchWith } from "./parameter-transforms.ts";
import { parameterRefusals } from "./refusal-variants.ts";
import { withEntry, withLimitEntries, withoutEntries, withoutLimitEntries } from "./skipped-transforms.ts";

const refuseParameter: FaultEffect = {
  layer: "parameters",
  apply: (checked, run) => {
    const refusal = variantOf(parameterRefusals, run);
    if (!run.given.has(String(run.values["name"])) || refusal === undefined) {
      return checked;
    }
    run.applied();
    return { ok: false, message: "unknown parameter", refusal };
  },
};

const queryOf = (given: URLSearchParams): string => given.get("q") ?? "";

/** Without the first match, which is told to be left out. */
const oneLess: EventEffect = {
  layer: "events",
  async *apply(events, { given }) {
    let left = countOf(queryOf(given)) === 1 ? 1 : 0;
    for await (const event of events) {
      if (left > 0 && event.name === "matches" && isPayloadArray(event.data)) {
        left = 0;
        yield* event.data.length > 1 ? [{ name: "matches", data: event.data.slice(1) }] : [];
      } else if (isFinalProgress(event) && isPayloadObject(event.data) && countOf(queryOf(given)) === 1) {
        yield { name: "progress", data: withEntry(event.data, limitHit(1)) };
      } else {
        yield event;
      }
    }
  },
};

const isWithParameter = ({ given, values }: FaultRun): boolean => given.has(String(values["name"]));

/** Nothing but what a search that found nothing tells of itself, and an alert in front of it. */
const endInError: EventEffect = {
  layer: "events",
  async *apply(events, run) {
    const isMeant = isWithParameter(run);
    if (isMeant) {
      run.applied();
      yield { name: "alert", data: { title: "Unknown value", description: "Not known here.", level: "error" } };
    }
    for await (const event of events) {
      if (!isMeant || event.name === "done") {
        yield event;
      } else if (isFinalProgress(event) && isPayloadObject(event.data)) {
        yield { name: "progress", data: { ...event.data, matchCount: 0, repositoriesCount: 0, skipped: [] } };
      }
    }
  },
};

const missingParameterRefusals: Variants<Refusal> = {
  "status-400": { allowed: false, status: 400, text: "a parameter is missing" },
  alert: {
    allowed: false,
    alert: { title: "Parameter missing", description: "A parameter of this search is missing.", proposedQueries: null },
  },
};

const refuseWithout: FaultEffect = {
  layer: "parameters",
  apply: (checked, run) => {
    const refusal = variantOf(missingParameterRefusals, run);
    if (!run.given.has("q") || isWithParameter(run) || refusal === undefined) {
      return checked;
    }
    run.applied();
    return { ok: false, message: "a parameter is missing", refusal };
  },
};

/** Every search has `q`; refused for that, none would be answered. */
const refusable = searchParameters.filter((name) => name !== "q");

const displayIgnored = searchWith(({ display, ...parameters }) => (display === undefined ? undefined : parameters));

const mostElements = (run: FaultRun): number => {
  const display = isGiven(run, "display") ? Number(run.given.get("display")) : -1;
  return display < 0 ? Number.POSITIVE_INFINITY : display + Number(run.values["more"]);
};

/** Delivers so many elements more than asked for, and no more. */
const someMore: EventEffect = {
  layer: "events",
  async *apply(events, run) {
    let left = mostElements(run);
    for await (const event of events) {
      const elements = event.name === "matches" && isPayloadArray(event.data) ? event.data.slice(0, left) : undefined;
      left -= elements?.length ?? 0;
      if (elements?.length !== 0) {
        yield elements === undefined ? event : { name: event.name, data: elements };
      }
    }
  },
};

const stopsAt = ({ display, q }: { readonly display?: number; readonly q: string }): number | undefined =>
  display !== undefined && display > 0 && display < (countOf(q) ?? Number.POSITIVE_INFINITY) ? display : undefined;

const asksForAll = (query: string): boolean => filterValues(query, "count").at(-1)?.toLowerCase() === "all";

const suggest = (expressionOf: (run: FaultRun) => string): EventEffect =>
  changeProgress((progress, run) =>
    withLimitEntries(progress, (entry) => ({
      ...entry,
      suggested: { title: "increase limit", queryExpression: expressionOf(run) },
    })),
  );

const withoutSuggestion = (entry: PayloadObject): PayloadObject => without(entry, "suggested");

/** Faults in what parameters do: whether they are accepted, how many matches they bound, and what is suggested at a limit. */
export const parameterFaults: readonly Fault[] = [
  violating("stream/documented-parameters-are-accepted", "parameter-refused")(
    "A search that sets the parameter is answered with an alert alone, or not by a stream at all.",
    refuseParameter,
    {
      name: { title: "name of the parameter", default: "cm", choices: refusable },
      ...howParameter(parameterRefusals),
    },
  ),
  violating("stream/documented-parameters-are-accepted", "parameter-is-an-error")(
    "A search that sets the parameter ends with an alert of the level `error` and a final progress.",
    endInError,
    { name: { title: "name of the parameter", default: "t", choices: refusable } },
  ),
  violating("stream/optional-parameters-may-be-left-out", "parameter-required")(
    "A search that does not set the parameter is a bad request, or is answered with an alert alone.",
    refuseWithout,
    {
      name: { title: "name of the parameter", default: "v", choices: ["v", "t", "cm", "cl", "max-line-len"] },
      ...howParameter(missingParameterRefusals),
    },
  ),
  violating("stream/display-bounds-matches", "display-exceeded")(
    "The parameter `display` has no effect.",
    displayIgnored,
  ),
  violating("stream/display-bounds-matches", "display-overshot")(
    "One match more than `display` asks for is delivered, or as many more as the parameter says.",
    [displayIgnored, someMore],
    { more: { title: "number of matches beyond `display`", default: 1 } },
  ),
  violating("stream/display-keeps-counting", "display-stops-counting")(
    "The search stops when `display` is reached, and counts no further.",
    [
      searchWith((parameters) => {
        const most = stopsAt(parameters);
        return most === undefined ? undefined : { ...parameters, q: withFilter(parameters.q, "count", most) };
      }),
      changeProgress((progress, { given }) => {
        const display = Number(given.get("display") ?? "");
        return stopsAt({ display, q: given.get("q") ?? "" }) === undefined ? undefined : withoutLimitEntries(progress);
      }),
    ],
  ),
  violating("stream/no-display-no-limit", "default-display")(
    "Without `display` only three matches are delivered, or as many as the parameter says.",
    searchWith((parameters, run) =>
      isGiven(run, "display") ? undefined : { ...parameters, display: Number(run.values["matches"]) },
    ),
    { matches: { title: "number of matches delivered", default: 3 } },
  ),
  violating("stream/no-display-no-limit", "display-none-is-nothing")(
    "With `display=-1` matches are counted, and none is delivered.",
    searchWith((parameters, { given }) => (given.get("display") === "-1" ? { ...parameters, display: 0 } : undefined)),
  ),
  violating("stream/count-stops-search", "count-ignored")(
    "The filter `count:` with a number is taken for one that is not there.",
    searchWith((parameters) => {
      const { q } = parameters;
      return countOf(q) === undefined ? undefined : { ...parameters, q: withoutFilter(q, "count") };
    }),
  ),
  violating("stream/count-stops-search", "count-ignored-in-chunks")(
    "With `cm=true` the filter `count:` with a number is taken for one that is not there.",
    searchWith((parameters) => {
      const { chunkMatches, q } = parameters;
      return !chunkMatches || countOf(q) === undefined ? undefined : { ...parameters, q: withoutFilter(q, "count") };
    }),
  ),
  violating("stream/count-stops-search", "count-spares-the-rest")(
    "With `count:` and a number all is delivered but one match, though more than ten times as many are there.",
    [
      searchWith((parameters) => {
        const { q } = parameters;
        return countOf(q) === 1 ? { ...parameters, q: withoutFilter(q, "count") } : undefined;
      }),
      oneLess,
    ],
  ),
  violating("stream/count-stops-search", "count-cuts-delivery-only")(
    "With `count:` and a number so many matches are delivered, and the search goes on counting.",
    [
      searchWith((parameters) => {
        const { display = Number.POSITIVE_INFINITY, q } = parameters;
        const count = countOf(q);
        return count === undefined
          ? undefined
          : { ...parameters, q: withoutFilter(q, "count"), display: Math.min(display, count) };
      }), // What was held back is named, as it is when the search stops.
      changeProgress((progress, { given }) => {
        const count = countOf(queryOf(given));
        return count !== undefined && Number(progress["matchCount"]) > count
          ? withEntry(progress, limitHit(count))
          : undefined;
      }),
    ],
  ),
  violating("stream/count-all-finds-everything", "count-all-capped")(
    "`count:all` stops after one match, or after as many as the parameter says.",
    searchWith((parameters, { values }) =>
      asksForAll(parameters.q)
        ? { ...parameters, q: withFilter(parameters.q, "count", Math.max(1, Number(values["limit"]))) }
        : undefined,
    ),
    { limit: { title: "number of matches after which it stops", default: "1", choices: ["1", "12"] } },
  ),
  violating("stream/count-cut-is-named", "cut-not-named")(
    "`skipped` stays empty, whatever limit was reached.",
    changeProgress(withoutEntries),
  ),
  observing("stream/count-stops-search", "count-overshot")(
    "With `count:` and a number the search stops five matches later, or as many as the parameter says.",
    searchWith((parameters, { values }) => {
      const count = countOf(parameters.q);
      return count === undefined
        ? undefined
        : { ...parameters, q: withFilter(parameters.q, "count", count + Number(values["more"])) };
    }),
    { more: { title: "number of matches beyond `count:`", default: 5 } },
  ),
  violating("stream/limit-suggestion-raises-count", "suggestion-missing")(
    "Entries about a limit that was reached suggest nothing.",
    changeProgress((progress) => withLimitEntries(progress, withoutSuggestion)),
  ),
  violating("stream/limit-suggestion-raises-count", "suggestion-too-low")(
    "Entries about a limit that was reached suggest `count:1`, or another number.",
    suggest(({ values }) => `count:${String(values["count"])}`),
    { count: { title: "the number suggested", default: 1 } },
  ),
  violating("stream/limit-suggestion-raises-count", "suggestion-not-a-count")(
    "Entries about a limit that was reached suggest another filter than `count:`, or no number for it.",
    suggest(({ values }) => String(values["expression"])),
    {
      expression: {
        title: "what is suggested",
        default: "archived:yes",
        choices: ["archived:yes", "count:many", "count:", "more"],
      },
    },
  ),
  violating("stream/limit-suggestion-raises-count", "suggestion-of-another-number")(
    "Entries about a limit that was reached suggest `count:5000`, or another number.",
    suggest(({ values }) => `count:${String(values["count"])}`),
    { count: { title: "the number suggested", default: 5000 } },
  ),
];
