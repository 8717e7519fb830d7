import { searchParameters } from "@assay/contract";
import type { Refusal } from "../service/access.ts";
import { isPayloadArray, isPayloadObject, type PayloadObject } from "../service/payload.ts";
import { readFilterValues, withFilter, withoutFilter } from "../service/query/edit-filters.ts";
import type { SearchEvent } from "../service/stream/search-event.ts";
import { createLimitEntry } from "../service/stream/skipped-entries.ts";
import { redirectToSignIn, withAlert } from "./access-faults.ts";
import { type EventEffect, changeEach, changeFirst, isFinalProgress, once, replaceEvents } from "./event-transforms.ts";
import {
  type Fault,
  type FaultEffect,
  type Variants,
  choice,
  defineLegalVariation,
  defineNote,
  selectVariant,
  withSettings,
  defineViolation,
} from "./fault.ts";
import type { FaultRun } from "./fault-run.ts";
import {
  readCount,
  findsNothing,
  isParameterSet,
  readQuery,
  searchWithQuery,
  searchWith,
} from "./parameter-transforms.ts";
import { type JsonMutation, mutateEachIn, withMember, withoutMember, mutateIf } from "./json-mutation.ts";

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

const refuse = (refusal: Refusal, isSelected: (queryParameters: URLSearchParams) => boolean): FaultEffect => ({
  layer: "parameters",
  apply: (parsedParameters, { queryParameters }) =>
    isSelected(queryParameters) ? { ok: false, message: "a parameter is invalid", refusal } : parsedParameters,
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
  replaceEvents(({ queryParameters }) => {
    const alert = { title: "Unknown value", description: "Not known here.", level: "error" };
    const first = [{ name: "alert", data: alert }];
    return (event) => (queryParameters.has(parameter) ? [...first.splice(0), ...emptyMatches(event)] : undefined);
  });

/** Creates a setting for the name of a parameter. `q` is excluded because every search has it, so all searches would fail. */
const parameterName = (...names: readonly string[]) => ({ name: choice("name of the parameter", ...names) });
const refusableParameters = searchParameters.filter((name) => name !== "q");

const stopsAtOne = (run: FaultRun): boolean => readCount(readQuery(run)) === 1;

const withoutFirstMatch: EventEffect = replaceEvents((run) =>
  once(({ data, name }) =>
    stopsAtOne(run) && name === "matches" && isPayloadArray(data) ? [{ name, data: data.slice(1) }] : undefined,
  ),
);

const ignoreDisplay = searchWith(({ display }) => (display === undefined ? undefined : { display: undefined }));

/** Returns `extraCount` elements beyond the requested number. */
const deliverMore = (extraCount: number): EventEffect =>
  replaceEvents((run) => {
    const display = isParameterSet(run, "display") ? Number(run.queryParameters.get("display")) : -1;
    let remainingCount = display < 0 ? Number.POSITIVE_INFINITY : display + extraCount;
    return ({ data, name }) => {
      const elements = name === "matches" && isPayloadArray(data) ? data : [];
      const deliveredElements = elements.slice(0, remainingCount);
      remainingCount -= deliveredElements.length;
      return deliveredElements.length === elements.length ? undefined : [{ name, data: deliveredElements }];
    };
  });

const isDisplayBelowCount = ({ display, q }: { readonly display?: number | undefined; readonly q: string }): boolean =>
  display !== undefined && display > 0 && display < (readCount(q) ?? Number.POSITIVE_INFINITY);

const readFilter = (query: string, name: string): string => readFilterValues(query, name).at(-1)?.toLowerCase() ?? "";

const hasCount = (query: string): boolean => readFilterValues(query, "count").length > 0;
const hasLargeCount = (query: string): boolean =>
  readFilterValues(query, "count").some((value) => Number(value) >= 100);

const withoutCount = (query: string): string | undefined =>
  readCount(query) === undefined ? undefined : withoutFilter(query, "count");

const listSkippedEntries = ({ skipped }: PayloadObject): readonly unknown[] => (isPayloadArray(skipped) ? skipped : []);

const isLimitEntry = (entry: unknown): boolean => isPayloadObject(entry) && entry["reason"] === "shard-match-limit";

/** Changes the skipped entries that report a reached limit. */
const changeLimits = (mutate: JsonMutation): EventEffect =>
  changeEach("progress", mutateEachIn("skipped", mutateIf(isLimitEntry, mutate)));

/** Does not report the reached limit in selected searches. */
const withoutLimits = (isSelected: (run: FaultRun) => boolean): EventEffect =>
  changeEach("progress", (progress, run) => {
    const otherEntries = listSkippedEntries(progress).filter((entry) => !isLimitEntry(entry));
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
  defineViolation("stream/limit-suggestion-raises-count", id)(
    `Entries about a limit that was reached suggest \`count:${byDefault}\`, or another number.`,
    withSettings({ count: { title: "the suggested number", default: byDefault } }, ({ count }) =>
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
  defineViolation("stream/documented-parameters-are-accepted", "parameter-refused")(
    "A search that sets the parameter is refused, for example with only an alert.",
    withSettings(parameterName("cm", ...refusableParameters), ({ name }) =>
      selectVariant(refusals, (refusal) => refuse(refusal, (queryParameters) => queryParameters.has(name))),
    ),
  ),
  defineViolation("stream/documented-parameters-are-accepted", "parameter-is-an-error")(
    "A search that sets the parameter ends with an alert of the level `error` and a final `progress` event.",
    withSettings(parameterName("t", ...refusableParameters), ({ name }) => endInError(name)),
  ),
  defineViolation("stream/documented-parameters-are-accepted", "count-refused")(
    "A search with a high count, for example `count:all`, is refused, for example with only an alert.",
    withSettings({ count: choice("the refused value", "all", "1000") }, ({ count }) =>
      selectVariant(countRefusals, (refusal) =>
        refuse(refusal, (queryParameters) => readFilter(queryParameters.get("q") ?? "", "count") === count),
      ),
    ),
  ),
  defineViolation("stream/optional-parameters-may-be-left-out", "parameter-required")(
    "A search that does not set the parameter is refused, for example as a bad request.",
    withSettings(parameterName("v", "t", "cm", "cl", "max-line-len"), ({ name }) =>
      selectVariant(missingRefusals, (refusal) =>
        refuse(refusal, (queryParameters) => queryParameters.has("q") && !queryParameters.has(name)),
      ),
    ),
  ),
  defineViolation("stream/display-bounds-matches", "display-exceeded")(
    "The parameter `display` has no effect.",
    ignoreDisplay,
  ),
  defineViolation("stream/display-bounds-matches", "display-overshot")(
    "More matches than `display` are delivered, for example one more.",
    withSettings({ more: { title: "number of matches beyond `display`", default: 1 } }, ({ more }) => [
      ignoreDisplay,
      deliverMore(more),
    ]),
  ),
  defineViolation("stream/display-keeps-counting", "display-stops-counting")(
    "The search stops when `display` is reached, and stops counting.",
    [
      searchWith((parameters) =>
        isDisplayBelowCount(parameters) ? { q: withFilter(parameters.q, "count", parameters.display ?? 0) } : undefined,
      ),
      withoutLimits((run) =>
        isDisplayBelowCount({ display: Number(run.queryParameters.get("display") ?? ""), q: readQuery(run) }),
      ),
    ],
  ),
  defineViolation("stream/display-keeps-counting", "display-counts-few")(
    "With `display`, more matches are counted than found, for example one more.",
    withSettings({ more: { title: "number of matches counted beyond `display`", default: 1 } }, ({ more }) =>
      changeEach("progress", (progress, { queryParameters }) => {
        const maxResults = Number(queryParameters.get("display") ?? "") + more;
        return maxResults > more && Number(progress["matchCount"]) > maxResults
          ? { ...progress, matchCount: maxResults }
          : undefined;
      }),
    ),
  ),
  defineViolation("stream/display-keeps-counting", "display-finds-nothing")(
    "With `display` of 1 or more nothing is found.",
    findsNothing(({ queryParameters }) => Number(queryParameters.get("display") ?? "") > 0),
  ),
  defineViolation("stream/display-is-reached", "display-undershot")(
    "With `display` of 3 or more, fewer matches are delivered, for example one less.",
    withSettings({ fewer: { title: "number of matches below `display`", default: 1 } }, ({ fewer }) =>
      searchWith(({ display = 0 }) => (display > 2 ? { display: Math.max(1, display - fewer) } : undefined)),
    ),
  ),
  defineViolation("stream/no-display-no-limit", "default-display")(
    "Without `display`, only some matches are delivered, for example three, and a limit is reported.",
    withSettings({ matches: { title: "number of matches delivered", default: 3 } }, ({ matches }) => [
      searchWith((_parameters, run) => (isParameterSet(run, "display") ? undefined : { display: matches })),
      changeFirst(isFinalProgress, (finalProgress, run) =>
        !isParameterSet(run, "display") && Number(finalProgress["matchCount"]) > matches
          ? withEntry(finalProgress, createLimitEntry(matches))
          : undefined,
      ),
    ]),
  ),
  defineViolation("stream/no-display-no-limit", "display-none-is-nothing")(
    "With `display=-1` matches are counted, and none is delivered.",
    searchWith((_parameters, { queryParameters }) =>
      queryParameters.get("display") === "-1" ? { display: 0 } : undefined,
    ),
  ),
  defineViolation("stream/count-stops-search", "count-ignored")(
    "The filter `count:` with a number is treated as unknown.",
    searchWithQuery(withoutCount),
  ),
  defineViolation("stream/count-stops-search", "count-ignored-in-chunks")(
    "With `cm=true` the filter `count:` with a number is treated as unknown.",
    searchWithQuery((q, { queryParameters }) => (queryParameters.get("cm") === "true" ? withoutCount(q) : undefined)),
  ),
  defineViolation("stream/count-stops-search", "count-spares-the-rest")(
    "With `count:1` all matches but one are delivered, even if there are more than ten.",
    [
      searchWithQuery((q) => (readCount(q) === 1 ? withoutCount(q) : undefined)),
      withoutFirstMatch,
      changeFirst(isFinalProgress, (finalProgress, run) =>
        stopsAtOne(run) ? withEntry(finalProgress, createLimitEntry(1)) : undefined,
      ),
    ],
  ),
  defineViolation("stream/count-stops-search", "count-cuts-delivery-only")(
    "With `count:` and a number that many matches are delivered, but the search continues to count.",
    [
      searchWith(({ display = Number.POSITIVE_INFINITY, q }) => {
        const count = readCount(q);
        return count === undefined ? undefined : { q: withoutFilter(q, "count"), display: Math.min(display, count) };
      }),
      // Withheld matches are reported, as for a search that stops at a limit.
      changeEach("progress", (progress, run) => {
        const count = readCount(readQuery(run)) ?? Number.POSITIVE_INFINITY;
        return Number(progress["matchCount"]) > count ? withEntry(progress, createLimitEntry(count)) : undefined;
      }),
    ],
  ),
  defineViolation("stream/count-all-finds-everything", "count-all-capped")(
    "`count:all` stops early, for example after one match.",
    withSettings({ limit: choice(limit.title, "1", "12") }, ({ limit: maxResults }) =>
      searchWithQuery((q) => (readFilter(q, "count") === "all" ? withFilter(q, "count", maxResults) : undefined)),
    ),
  ),
  defineViolation("stream/count-cut-is-named", "cut-not-named")(
    "`skipped` stays empty, even if a limit was reached.",
    changeEach("progress", (progress) =>
      listSkippedEntries(progress).length > 0 ? { ...progress, skipped: [] } : undefined,
    ),
  ),
  defineNote("stream/count-stops-search", "count-overshot")(
    "With `count:` and a number, the search stops too late, for example five matches later.",
    withSettings({ more: { title: "number of matches beyond `count:`", default: 5 } }, ({ more }) =>
      searchWithQuery((q) => {
        const count = readCount(q);
        return count === undefined ? undefined : withFilter(q, "count", count + more);
      }),
    ),
  ),
  defineViolation("stream/limit-suggestion-raises-count", "suggestion-missing")(
    "Entries about a reached limit suggest nothing.",
    changeLimits(withoutMember("suggested")),
  ),
  suggestCount("suggestion-too-low", 1),
  defineViolation("stream/limit-suggestion-raises-count", "suggestion-not-a-count")(
    "Entries about a reached limit suggest no count, for example a filter other than `count:`.",
    withSettings(
      { expression: choice("the suggestion", "archived:yes", "count:many", "count:", "more") },
      ({ expression }) => suggest(expression),
    ),
  ),
  suggestCount("suggestion-of-another-number", 5000),
  defineViolation("stream/cut-results-are-named", "own-limit-not-named")(
    "A search without `count:` stops early, for example after five matches, and does not report it.",
    [
      withSettings({ limit }, ({ limit: maxResults }) => stopEarly(maxResults)),
      withoutLimits((run) => !hasCount(readQuery(run))),
    ],
  ),
  defineViolation("stream/count-stops-no-earlier", "number-lowered")(
    "A search with a number of 100 or more stops early, for example after five matches, and does not report it.",
    [
      withSettings({ limit }, ({ limit: maxResults }) =>
        searchWithQuery((q) => (hasLargeCount(q) ? withFilter(q, "count", maxResults) : undefined)),
      ),
      withoutLimits((run) => hasLargeCount(readQuery(run))),
    ],
  ),
  defineViolation("stream/count-stops-no-earlier", "count-finds-nothing")(
    "With a number in `count:`, for example `count:1`, nothing is found.",
    withSettings({ count: choice("which numbers", "1", "every") }, ({ count }) =>
      findsNothing((run) => (count === "1" ? stopsAtOne(run) : readCount(readQuery(run)) !== undefined)),
    ),
  ),
  defineLegalVariation("own-limit-named")(
    "A search without `count:` stops early, for example after five matches, and reports it.",
    withSettings({ limit }, ({ limit: maxResults }) => stopEarly(maxResults)),
  ),
  defineViolation("stream/suggested-filter-narrows", "language-filter-ignored")(
    "The filter `lang:` of a query has no effect, although it is suggested.",
    searchWithQuery((q) => (readFilter(q, "lang") === "" ? undefined : withoutFilter(q, "lang"))),
  ),
  defineViolation("stream/suggested-filter-finds-matches", "filter-in-vain")(
    "Filters for a language are suggested with a wrong value, for example that of a different language.",
    withSettings(
      { value: choice("value of the filters", "lang:haskell", "haskell", "nosuchfilter:haskell") },
      ({ value }) =>
        changeEach(
          "filters",
          mutateIf(({ kind }) => kind === "lang", withMember("value", value)),
        ),
    ),
  ),
  defineViolation("stream/suggested-filter-finds-matches", "other-filter-in-vain")(
    "Filters for a language with a name of four letters or more are suggested with the value of a different one.",
    otherLanguagesFindNothing,
  ),
];
