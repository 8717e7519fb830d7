import type { SearchParameters } from "../service/http/search-parameters.ts";
import type { PortContext } from "../service/ports.ts";
import { readFilterValues } from "../service/query/edit-filters.ts";
import type { FaultEffect } from "./fault.ts";
import type { FaultRun } from "./fault-run.ts";

/** Changes the parameters of searches. They are unchanged if the function returns undefined. Refused requests are still refused. */
export const searchWith = (
  change: (parameters: SearchParameters, run: FaultRun) => Partial<SearchParameters> | undefined,
): FaultEffect => ({
  layer: "parameters",
  apply: (parsedParameters, run) => {
    const changedParameters = parsedParameters.ok ? change(parsedParameters.parameters, run) : undefined;
    return parsedParameters.ok && changedParameters !== undefined
      ? { ok: true, parameters: { ...parsedParameters.parameters, ...changedParameters } }
      : parsedParameters;
  },
});

/** Changes the query of searches. It is unchanged if the function returns undefined. */
export const searchWithQuery = (change: (query: string, run: FaultRun) => string | undefined): FaultEffect =>
  searchWith(({ q }, run) => {
    const changedQuery = change(q, run);
    return changedQuery === undefined ? undefined : { q: changedQuery };
  });

/** Replaces the results of selected searches with no results. */
export const findsNothing = (isSelected: (run: FaultRun) => boolean): FaultEffect => ({
  layer: "index",
  apply: (repositories, run) =>
    isSelected(run) ? repositories.map((repository) => ({ ...repository, files: [] })) : repositories,
});

/** Returns the requested query. */
export const readQuery = ({ queryParameters }: Pick<PortContext, "queryParameters">): string =>
  queryParameters.get("q") ?? "";

/** Returns the number in the `count:` filter of a query. Returns undefined if there is no filter, and for `all`. */
export const readCount = (query: string): number | undefined => {
  const value = readFilterValues(query, "count").at(-1) ?? "";
  return /^\d{1,9}$/u.test(value) ? Number(value) : undefined;
};

/** Reports whether a parameter has a value. Empty parameters are treated as absent. */
export const isParameterSet = ({ queryParameters }: Pick<PortContext, "queryParameters">, name: string): boolean =>
  (queryParameters.get(name) ?? "") !== "";
