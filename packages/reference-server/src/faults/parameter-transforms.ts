import type { SearchParameters } from "../service/http/search-parameters.ts";
import { filterValues } from "../service/query/edit-filters.ts";
import type { FaultEffect } from "./fault.ts";
import type { FaultRun } from "./fault-run.ts";

/** Searches with changed parameters; `undefined` keeps the requested ones. A refused request stays refused. */
export const searchWith = (
  change: (parameters: SearchParameters, run: FaultRun) => Partial<SearchParameters> | undefined,
): FaultEffect => ({
  layer: "parameters",
  apply: (checked, run) => {
    const changed = checked.ok ? change(checked.parameters, run) : undefined;
    return checked.ok && changed !== undefined
      ? { ok: true, parameters: { ...checked.parameters, ...changed } }
      : checked;
  },
});

/** Searches for a changed query; `undefined` keeps it. */
export const searchFor = (change: (query: string, run: FaultRun) => string | undefined): FaultEffect =>
  searchWith(({ q }, run) => {
    const other = change(q, run);
    return other === undefined ? undefined : { q: other };
  });

/** Selected searches find nothing. */
export const findsNothing = (isSelected: (run: FaultRun) => boolean): FaultEffect => ({
  layer: "index",
  apply: (repositories, run) =>
    isSelected(run) ? repositories.map((repository) => ({ ...repository, files: [] })) : repositories,
});

/** The requested query. */
export const queryOf = ({ given }: FaultRun): string => given.get("q") ?? "";

/** The `count:` of a query; `undefined` without one, and for `all`. */
export const countOf = (query: string): number | undefined => {
  const value = filterValues(query, "count").at(-1) ?? "";
  return /^\d{1,9}$/u.test(value) ? Number(value) : undefined;
};

/** Reports whether a parameter has a value; an empty one counts as absent. */
export const isGiven = ({ given }: FaultRun, name: string): boolean => (given.get(name) ?? "") !== "";
