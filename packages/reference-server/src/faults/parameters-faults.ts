import { searchParameters } from "@assay/contract";
import type { Refusal } from "../service/access.ts";
import { isPayloadArray, isPayloadObject, type PayloadObject } from "../service/payload.ts";
import { readFilterValues, withFilter, withoutFilter } from "../service/query/edit-filters.ts";
import type { SearchEvent } from "../service/stream/search-event.ts";
import { limitHit } from "../service/stream/skipped-entries.ts";
import { redirectToSignIn, withAlert } from "./access-faults.ts";
import { type EventEffect, changeEach, changeFirst, isFinalProgress, once, replaceEvents } from "./event-transforms.ts";
import {
  type Fault,
  type FaultEffect,
  type Variants,
  choice,
  legal,
  observing,
  selectVariant,
  settable,
  violating,
} from "./fault.ts";
import type { FaultRun } from "./fault-run.ts";
import { readCount, findsNothing, isGiven, readQuery, searchWithQuery, searchWith } from "./parameter-transforms.ts";
import { type JsonMutation, mutateEachIn, withMember, withoutMember, where } from "./json-mutation.ts";

/** Ways to refuse a search because of a parameter. Streams among them always end with a reason. */
const refusals: Variants<Refusal> = {
  alert: withAlert("Unable To Process Query", "A parameter of this search is not known here."),
  "status-400": { allowed: false, status: 400, text: "unknown parameter" },
  redirect: redirectToSignIn,
};

const missingRefusals: Variants<Refusal> = {
  "status-400": { allowed: false, status: 400, text: "a parameter is missing" },
  alert: withAlert("Parameter missing", "A parameter of this search is missing."),
};

const countRefusals: Variants<Refusal> = {
  "status-422": { allowed: false, status: 422, text: "the number of matches is too large" },
  alert: withAlert("Too many matches", "Ask for fewer matches."),
};

const refuse = (refusal: Refusal, isSelected: (given: URLSearchParams) => boolean): FaultEffect => ({
  layer: "parameters",
  apply: (checked, { given }) =>
    isSelected(given) ? { ok: false, message: "a parameter is invalid", refusal } : checked,
});

/** Changes an event to the form that a search without results sends. */
const emptyMatches = (event: SearchEvent): readonly SearchEvent[] => {
  const { data, name } = event;
  if (isFinalProgress(event) && isPayloadObject(data)) {
    return [{ name, data: { ...data, matchCount: 0, repositoriesCount: 0, skipped: [] } }];
  }
  return name === "done" ? [event] : [];
};

const endInError = (parameter: string): EventEffect =>
  replaceEvents(({ given }) => {
    const alert = { title: "Unknown value", description: "Not known here.", level: "error" };
    const first = [{ name: "alert", data: alert }];
    return (event) => (given.has(parameter) ? [...first.splice(0), ...emptyMatches(event)] : undefined);
  });

/** Creates a setting for the name of a parameter. `q` is excluded because every search has it, so all searches would fail. */
const parameterName = (...names: readonly string[]) => ({ name: choice("name of the parameter", ...names) });
const refusable = searchParameters.filter((name) => name !== "q");

const stopsAtOne = (run: FaultRun): boolean => readCount(readQuery(run)) === 1;

const withoutFirstMatch: EventEffect = replaceEvents((run) =>
  once(({ data, name }) =>
    stopsAtOne(run) && name === "matches" && isPayloadArray(data) ? [{ name, data: data.slice(1) }] : undefined,
  ),
);

const displayIgnored = searchWith(({ display }) => (display === undefined ? undefined : { display: undefined }));

/** Returns `extraCount` elements beyond the requested number. */
const deliverMore = (extraCount: number): EventEffect =>
  replaceEvents((run) => {
    const display = isGiven(run, "display") ? Number(run.given.get("display")) : -1;
    let remainingCount = display < 0 ? Number.POSITIVE_INFINITY : display + extraCount;
    return ({ data, name }) => {
      const elements = name === "matches" && isPayloadArray(data) ? data : [];
      const deliveredElements = elements.slice(0, remainingCount);
      remainingCount -= deliveredElements.length;
      return deliveredElements.length === elements.length ? undefined : [{ name, data: deliveredElements }];
    };
  });

const isCounted = ({ display, q }: { readonly display?: number | undefined; readonly q: string }): boolean =>
  display !== undefined && display > 0 && display < (readCount(q) ?? Number.POSITIVE_INFINITY);

const readFilter = (query: string, name: string): string => readFilterValues(query, name).at(-1)?.toLowerCase() ?? "";

const hasCount = (query: string): boolean => readFilterValues(query, "count").length > 0;
const isLarge = (query: string): boolean => readFilterValues(query, "count").some((value) => Number(value) >= 100);

const withoutCount = (query: string): string | undefined =>
  readCount(query) === undefined ? undefined : withoutFilter(query, "count");

const listSkippedEntries = ({ skipped }: PayloadObject): readonly unknown[] => (isPayloadArray(skipped) ? skipped : []);

const isLimit = (entry: unknown): boolean => isPayloadObject(entry) && entry["reason"] === "shard-match-limit";

/** Changes the skipped entries that report a reached limit. */
const changeLimits = (mutate: JsonMutation): EventEffect =>
  changeEach("progress", mutateEachIn("skipped", where(isLimit, mutate)));

/** Does not report the reached limit in selected searches. */
const withoutLimits = (isSelected: (run: FaultRun) => boolean): EventEffect =>
  changeEach("progress", (progress, run) => {
    const otherEntries = listSkippedEntries(progress).filter((entry) => !isLimit(entry));
    return isSelected(run) && otherEntries.length < listSkippedEntries(progress).length
      ? { ...progress, skipped: otherEntries }
      : undefined;
  });

/** Adds a skipped entry to a `progress` event. */
const withEntry = (progress: PayloadObject, entry: object): PayloadObject => ({
  ...progress,
  skipped: [...listSkippedEntries(progress), entry],
});

const suggest = (queryExpression: string): EventEffect =>
  changeLimits(withMember("suggested", { title: "increase limit", queryExpression }));

const suggestCount = (id: string, byDefault: number): Fault =>
  violating("stream/limit-suggestion-raises-count", id)(
    `Entries about a limit that was reached suggest \`count:${byDefault}\`, or another number.`,
    settable({ count: { title: "the suggested number", default: byDefault } }, ({ count }) =>
      suggest(`count:${count}`),
    ),
  );

const limit = { title: "number of matches after which it stops", default: 5 } as const;

/** Stops searches without `count:` at `maxResults` results. */
const stopEarly = (maxResults: number): FaultEffect =>
  searchWithQuery((q) => (hasCount(q) ? undefined : withFilter(q, "count", maxResults)));

const isForLanguage = (filter: unknown): filter is PayloadObject =>
  isPayloadObject(filter) && filter["kind"] === "lang";

/** Languages that example repositories are unlikely to contain. */
const rareLanguages = ["haskell", "erlang", "fortran", "prolog", "cobol", "ada", "pascal"] as const;

/** Keeps filters for languages with short names. Replaces others with a filter that finds nothing, the same in each event. */
const valueWithoutMatches = (value: unknown): unknown => {
  const { length } = String(value);
  return length < "lang:rust".length ? value : `lang:${rareLanguages[length % rareLanguages.length]}`;
};

/** Only language filters with short names find matches when added to the query. */
const otherLanguagesFindNothing = replaceEvents(
  () =>
    ({ name, data }) =>
      name === "filters" && isPayloadArray(data)
        ? [
            {
              name,
              data: data.map((element) =>
                isForLanguage(element) ? { ...element, value: valueWithoutMatches(element["value"]) } : element,
              ),
            },
          ]
        : undefined,
);

/** Faults in parameters: acceptance, the number of matches, and suggestions at a limit. */
export const parameterFaults: readonly Fault[] = [
  violating("stream/documented-parameters-are-accepted", "parameter-refused")(
    "A search that sets the parameter returns only an alert, or no stream.",
    settable(parameterName("cm", ...refusable), ({ name }) =>
      selectVariant(refusals, (refusal) => refuse(refusal, (given) => given.has(name))),
    ),
  ),
  violating("stream/documented-parameters-are-accepted", "parameter-is-an-error")(
    "A search that sets the parameter ends with an alert of the level `error` and a final progress.",
    settable(parameterName("t", ...refusable), ({ name }) => endInError(name)),
  ),
  violating("stream/documented-parameters-are-accepted", "count-refused")(
    "A search for `count:all`, or for `count:1000`, returns only an alert, or no stream.",
    settable({ count: choice("the refused value", "all", "1000") }, ({ count }) =>
      selectVariant(countRefusals, (refusal) =>
        refuse(refusal, (given) => readFilter(given.get("q") ?? "", "count") === count),
      ),
    ),
  ),
  violating("stream/optional-parameters-may-be-left-out", "parameter-required")(
    "A search that does not set the parameter is refused as a bad request, or answered with only an alert.",
    settable(parameterName("v", "t", "cm", "cl", "max-line-len"), ({ name }) =>
      selectVariant(missingRefusals, (refusal) => refuse(refusal, (given) => given.has("q") && !given.has(name))),
    ),
  ),
  violating("stream/display-bounds-matches", "display-exceeded")(
    "The parameter `display` has no effect.",
    displayIgnored,
  ),
  violating("stream/display-bounds-matches", "display-overshot")(
    "One match more than `display` is delivered, or the number in the setting.",
    settable({ more: { title: "number of matches beyond `display`", default: 1 } }, ({ more }) => [
      displayIgnored,
      deliverMore(more),
    ]),
  ),
  violating("stream/display-keeps-counting", "display-stops-counting")(
    "The search stops when `display` is reached, and stops counting.",
    [
      searchWith((parameters) =>
        isCounted(parameters) ? { q: withFilter(parameters.q, "count", parameters.display ?? 0) } : undefined,
      ),
      withoutLimits((run) => isCounted({ display: Number(run.given.get("display") ?? ""), q: readQuery(run) })),
    ],
  ),
  violating("stream/display-keeps-counting", "display-counts-few")(
    "With `display` one match more is counted, or the number in the setting.",
    settable({ more: { title: "number of matches counted beyond `display`", default: 1 } }, ({ more }) =>
      changeEach("progress", (progress, { given }) => {
        const maxResults = Number(given.get("display") ?? "") + more;
        return maxResults > more && Number(progress["matchCount"]) > maxResults
          ? { ...progress, matchCount: maxResults }
          : undefined;
      }),
    ),
  ),
  violating("stream/display-keeps-counting", "display-finds-nothing")(
    "With `display` of 1 or more nothing is found.",
    findsNothing(({ given }) => Number(given.get("display") ?? "") > 0),
  ),
  violating("stream/display-is-reached", "display-undershot")(
    "With `display` of 3 or more one match less is delivered, or the number in the setting.",
    settable({ fewer: { title: "number of matches below `display`", default: 1 } }, ({ fewer }) =>
      searchWith(({ display = 0 }) => (display > 2 ? { display: Math.max(1, display - fewer) } : undefined)),
    ),
  ),
  violating("stream/no-display-no-limit", "default-display")(
    "Without `display` only three matches are delivered, or the number in the setting, and a limit is reported.",
    settable({ matches: { title: "number of matches delivered", default: 3 } }, ({ matches }) => [
      searchWith((_parameters, run) => (isGiven(run, "display") ? undefined : { display: matches })),
      changeFirst(isFinalProgress, (final, run) =>
        !isGiven(run, "display") && Number(final["matchCount"]) > matches
          ? withEntry(final, limitHit(matches))
          : undefined,
      ),
    ]),
  ),
  violating("stream/no-display-no-limit", "display-none-is-nothing")(
    "With `display=-1` matches are counted, and none is delivered.",
    searchWith((_parameters, { given }) => (given.get("display") === "-1" ? { display: 0 } : undefined)),
  ),
  violating("stream/count-stops-search", "count-ignored")(
    "The filter `count:` with a number is treated as unknown.",
    searchWithQuery(withoutCount),
  ),
  violating("stream/count-stops-search", "count-ignored-in-chunks")(
    "With `cm=true` the filter `count:` with a number is treated as unknown.",
    searchWithQuery((q, { given }) => (given.get("cm") === "true" ? withoutCount(q) : undefined)),
  ),
  violating("stream/count-stops-search", "count-spares-the-rest")(
    "With `count:1` all matches but one are delivered, even if there are more than ten.",
    [
      searchWithQuery((q) => (readCount(q) === 1 ? withoutCount(q) : undefined)),
      withoutFirstMatch,
      changeFirst(isFinalProgress, (final, run) => (stopsAtOne(run) ? withEntry(final, limitHit(1)) : undefined)),
    ],
  ),
  violating("stream/count-stops-search", "count-cuts-delivery-only")(
    "With `count:` and a number that many matches are delivered, but the search continues to count.",
    [
      searchWith(({ display = Number.POSITIVE_INFINITY, q }) => {
        const count = readCount(q);
        return count === undefined ? undefined : { q: withoutFilter(q, "count"), display: Math.min(display, count) };
      }),
      // Withheld matches are reported, as for a search that stops at a limit.
      changeEach("progress", (progress, run) => {
        const count = readCount(readQuery(run)) ?? Number.POSITIVE_INFINITY;
        return Number(progress["matchCount"]) > count ? withEntry(progress, limitHit(count)) : undefined;
      }),
    ],
  ),
  violating("stream/count-all-finds-everything", "count-all-capped")(
    "`count:all` stops after one match, or after the number in the setting.",
    settable({ limit: choice(limit.title, "1", "12") }, ({ limit: maxResults }) =>
      searchWithQuery((q) => (readFilter(q, "count") === "all" ? withFilter(q, "count", maxResults) : undefined)),
    ),
  ),
  violating("stream/count-cut-is-named", "cut-not-named")(
    "`skipped` stays empty, even if a limit was reached.",
    changeEach("progress", (progress) =>
      listSkippedEntries(progress).length > 0 ? { ...progress, skipped: [] } : undefined,
    ),
  ),
  observing("stream/count-stops-search", "count-overshot")(
    "With `count:` and a number the search stops five matches later, or the number in the setting.",
    settable({ more: { title: "number of matches beyond `count:`", default: 5 } }, ({ more }) =>
      searchWithQuery((q) => {
        const count = readCount(q);
        return count === undefined ? undefined : withFilter(q, "count", count + more);
      }),
    ),
  ),
  violating("stream/limit-suggestion-raises-count", "suggestion-missing")(
    "Entries about a reached limit suggest nothing.",
    changeLimits(withoutMember("suggested")),
  ),
  suggestCount("suggestion-too-low", 1),
  violating("stream/limit-suggestion-raises-count", "suggestion-not-a-count")(
    "Entries about a reached limit suggest a filter other than `count:`, or no number for it.",
    settable(
      { expression: choice("the suggestion", "archived:yes", "count:many", "count:", "more") },
      ({ expression }) => suggest(expression),
    ),
  ),
  suggestCount("suggestion-of-another-number", 5000),
  violating("stream/cut-results-are-named", "own-limit-not-named")(
    "A search without `count:` stops after five matches, or the number in the setting, and does not report it.",
    [
      settable({ limit }, ({ limit: maxResults }) => stopEarly(maxResults)),
      withoutLimits((run) => !hasCount(readQuery(run))),
    ],
  ),
  violating("stream/count-stops-no-earlier", "number-lowered")(
    "A search with a number of 100 or more stops after five matches, or the number in the setting, and does not report it.",
    [
      settable({ limit }, ({ limit: maxResults }) =>
        searchWithQuery((q) => (isLarge(q) ? withFilter(q, "count", maxResults) : undefined)),
      ),
      withoutLimits((run) => isLarge(readQuery(run))),
    ],
  ),
  violating("stream/count-stops-no-earlier", "count-finds-nothing")(
    "With `count:1`, or with every number, nothing is found.",
    settable({ count: choice("which numbers", "1", "every") }, ({ count }) =>
      findsNothing((run) => (count === "1" ? stopsAtOne(run) : readCount(readQuery(run)) !== undefined)),
    ),
  ),
  legal("own-limit-named")(
    "A search without `count:` stops after five matches, or the number in the setting, and reports it.",
    settable({ limit }, ({ limit: maxResults }) => stopEarly(maxResults)),
  ),
  violating("stream/suggested-filter-narrows", "language-filter-ignored")(
    "The filter `lang:` of a query has no effect, although it is suggested.",
    searchWithQuery((q) => (readFilter(q, "lang") === "" ? undefined : withoutFilter(q, "lang"))),
  ),
  violating("stream/suggested-filter-finds-matches", "filter-in-vain")(
    "Filters for a language are suggested with the value of a different one, or with none that can be added to a query.",
    settable(
      { value: choice("value of the filters", "lang:haskell", "haskell", "nosuchfilter:haskell") },
      ({ value }) =>
        changeEach(
          "filters",
          where(({ kind }) => kind === "lang", withMember("value", value)),
        ),
    ),
  ),
  violating("stream/suggested-filter-finds-matches", "other-filter-in-vain")(
    "Filters for a language with a name of four letters or more are suggested with the value of a different one.",
    otherLanguagesFindNothing,
  ),
];
