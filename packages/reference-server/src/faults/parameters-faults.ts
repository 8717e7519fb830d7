import { searchParameters } from "@assay/contract";
import type { Refusal } from "../access.ts";
import { isPayloadArray, isPayloadObject } from "../payload.ts";
import type { PayloadObject } from "../payload.ts";
import { filterValues, withFilter, withoutFilter } from "../query/edit-filters.ts";
import { limitHit } from "../stream/skipped-entries.ts";
import { changeProgress, isFinalProgress, without } from "./event-transforms.ts";
import type { EventEffect } from "./event-transforms.ts";
import { variantOf, howParameter } from "./fault-variants.ts";
import type { Variants } from "./fault-variants.ts";
import type { Fault, FaultEffect } from "./fault.ts";
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
  {
    id: "parameter-refused",
    title: "a documented parameter is refused",
    description: "A search that sets the parameter is answered with an alert alone, or not by a stream at all.",
    kind: "violation",
    attacks: "stream/documented-parameters-are-accepted",
    parameters: {
      name: { title: "name of the parameter", default: "cm", choices: refusable },
      ...howParameter(parameterRefusals),
    },
    ...refuseParameter,
  },
  {
    id: "parameter-is-an-error",
    title: "a documented parameter makes a search end in an error",
    description: "A search that sets the parameter ends with an alert of the level `error` and a final progress.",
    kind: "violation",
    attacks: "stream/documented-parameters-are-accepted",
    parameters: { name: { title: "name of the parameter", default: "t", choices: refusable } },
    ...endInError,
  },
  {
    id: "parameter-required",
    title: "a parameter that has to be given",
    description: "A search that does not set the parameter is a bad request, or is answered with an alert alone.",
    kind: "violation",
    attacks: "stream/optional-parameters-may-be-left-out",
    parameters: {
      name: { title: "name of the parameter", default: "v", choices: ["v", "t", "cm", "cl", "max-line-len"] },
      ...howParameter(missingParameterRefusals),
    },
    ...refuseWithout,
  },
  {
    id: "display-exceeded",
    title: "more matches than display",
    description: "The parameter `display` has no effect.",
    kind: "violation",
    attacks: "stream/display-bounds-matches",
    ...displayIgnored,
  },
  {
    id: "display-overshot",
    title: "a match more than display",
    description: "One match more than `display` asks for is delivered, or as many more as the parameter says.",
    kind: "violation",
    attacks: "stream/display-bounds-matches",
    parameters: { more: { title: "number of matches beyond `display`", default: 1 } },
    ...displayIgnored,
    also: [someMore],
  },
  {
    id: "display-stops-counting",
    title: "a search that stops at display",
    description: "The search stops when `display` is reached, and counts no further.",
    kind: "violation",
    attacks: "stream/display-keeps-counting",
    ...searchWith((parameters) => {
      const most = stopsAt(parameters);
      return most === undefined ? undefined : { ...parameters, q: withFilter(parameters.q, "count", most) };
    }),
    also: [
      changeProgress((progress, { given }) => {
        const display = Number(given.get("display") ?? "");
        return stopsAt({ display, q: given.get("q") ?? "" }) === undefined ? undefined : withoutLimitEntries(progress);
      }),
    ],
  },
  {
    id: "default-display",
    title: "a display that nobody asked for",
    description: "Without `display` only three matches are delivered, or as many as the parameter says.",
    kind: "violation",
    attacks: "stream/no-display-no-limit",
    parameters: { matches: { title: "number of matches delivered", default: 3 } },
    ...searchWith((parameters, run) =>
      isGiven(run, "display") ? undefined : { ...parameters, display: Number(run.values["matches"]) },
    ),
  },
  {
    id: "display-none-is-nothing",
    title: "a display=-1 that delivers nothing",
    description: "With `display=-1` matches are counted, and none is delivered.",
    kind: "violation",
    attacks: "stream/no-display-no-limit",
    ...searchWith((parameters, { given }) =>
      given.get("display") === "-1" ? { ...parameters, display: 0 } : undefined,
    ),
  },
  {
    id: "count-ignored",
    title: "a count that has no effect",
    description: "The filter `count:` with a number is taken for one that is not there.",
    kind: "violation",
    attacks: "stream/count-stops-search",
    ...searchWith((parameters) => {
      const { q } = parameters;
      return countOf(q) === undefined ? undefined : { ...parameters, q: withoutFilter(q, "count") };
    }),
  },
  {
    id: "count-ignored-in-chunks",
    title: "a count that has no effect on chunk matches",
    description: "With `cm=true` the filter `count:` with a number is taken for one that is not there.",
    kind: "violation",
    attacks: "stream/count-stops-search",
    ...searchWith((parameters) => {
      const { chunkMatches, q } = parameters;
      return !chunkMatches || countOf(q) === undefined ? undefined : { ...parameters, q: withoutFilter(q, "count") };
    }),
  },
  {
    id: "count-spares-the-rest",
    title: "a count that leaves out one match",
    description:
      "With `count:` and a number all is delivered but one match, though more than ten times as many are there.",
    kind: "violation",
    attacks: "stream/count-stops-search",
    ...searchWith((parameters) => {
      const { q } = parameters;
      return countOf(q) === 1 ? { ...parameters, q: withoutFilter(q, "count") } : undefined;
    }),
    also: [oneLess],
  },
  {
    id: "count-cuts-delivery-only",
    title: "a count that ends the delivery and not the search",
    description: "With `count:` and a number so many matches are delivered, and the search goes on counting.",
    kind: "violation",
    attacks: "stream/count-stops-search",
    ...searchWith((parameters) => {
      const { display = Number.POSITIVE_INFINITY, q } = parameters;
      const count = countOf(q);
      return count === undefined
        ? undefined
        : { ...parameters, q: withoutFilter(q, "count"), display: Math.min(display, count) };
    }),
    also: [
      // What was held back is named, as it is when the search stops.
      changeProgress((progress, { given }) => {
        const count = countOf(queryOf(given));
        return count !== undefined && Number(progress["matchCount"]) > count
          ? withEntry(progress, limitHit(count))
          : undefined;
      }),
    ],
  },
  {
    id: "count-all-capped",
    title: "a count:all that stops",
    description: "`count:all` stops after one match, or after as many as the parameter says.",
    kind: "violation",
    attacks: "stream/count-all-finds-everything",
    parameters: { limit: { title: "number of matches after which it stops", default: "1", choices: ["1", "12"] } },
    ...searchWith((parameters, { values }) =>
      asksForAll(parameters.q)
        ? { ...parameters, q: withFilter(parameters.q, "count", Math.max(1, Number(values["limit"]))) }
        : undefined,
    ),
  },
  {
    id: "cut-not-named",
    title: "results that are cut off in silence",
    description: "`skipped` stays empty, whatever limit was reached.",
    kind: "violation",
    attacks: "stream/count-cut-is-named",
    ...changeProgress(withoutEntries),
  },
  {
    id: "count-overshot",
    title: "a search that stops a bit late",
    description: "With `count:` and a number the search stops five matches later, or as many as the parameter says.",
    kind: "observation",
    attacks: "stream/count-stops-search",
    parameters: { more: { title: "number of matches beyond `count:`", default: 5 } },
    ...searchWith((parameters, { values }) => {
      const count = countOf(parameters.q);
      return count === undefined
        ? undefined
        : { ...parameters, q: withFilter(parameters.q, "count", count + Number(values["more"])) };
    }),
  },
  {
    id: "suggestion-missing",
    title: "a limit without a suggestion",
    description: "Entries about a limit that was reached suggest nothing.",
    kind: "violation",
    attacks: "stream/limit-suggestion-raises-count",
    ...changeProgress((progress) => withLimitEntries(progress, withoutSuggestion)),
  },
  {
    id: "suggestion-too-low",
    title: "a suggestion that asks for no more",
    description: "Entries about a limit that was reached suggest `count:1`, or another number.",
    kind: "violation",
    attacks: "stream/limit-suggestion-raises-count",
    parameters: { count: { title: "the number suggested", default: 1 } },
    ...suggest(({ values }) => `count:${String(values["count"])}`),
  },
  {
    id: "suggestion-not-a-count",
    title: "a suggestion that is no count",
    description: "Entries about a limit that was reached suggest another filter than `count:`, or no number for it.",
    kind: "violation",
    attacks: "stream/limit-suggestion-raises-count",
    parameters: {
      expression: {
        title: "what is suggested",
        default: "archived:yes",
        choices: ["archived:yes", "count:many", "count:", "more"],
      },
    },
    ...suggest(({ values }) => String(values["expression"])),
  },
  {
    id: "suggestion-of-another-number",
    title: "a suggestion of another number",
    description: "Entries about a limit that was reached suggest `count:5000`, or another number.",
    kind: "violation",
    attacks: "stream/limit-suggestion-raises-count",
    parameters: { count: { title: "the number suggested", default: 5000 } },
    ...suggest(({ values }) => `count:${String(values["count"])}`),
  },
];
