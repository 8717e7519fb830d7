import type { SearchParameters } from "../service/http/search-parameters.ts";
import { filterValues } from "../service/query/edit-filters.ts";
import type { FaultEffect } from "./fault.ts";
import type { FaultRun } from "./fault-run.ts";

/**
 * An effect that searches with parameters of its own, and otherwise with those that were asked for. `undefined` leaves all as
 * they are; a request that is refused anyway stays refused.
 */
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

/** An effect that searches for another query; `undefined` leaves it. */
export const searchFor = (change: (query: string, run: FaultRun) => string | undefined): FaultEffect =>
  searchWith(({ q }, run) => {
    const other = change(q, run);
    return other === undefined ? undefined : { q: other };
  });

/** An effect by which nothing is found in the searches that are meant. */
export const findsNothing = (isMeant: (run: FaultRun) => boolean): FaultEffect => ({
  layer: "index",
  apply: (repositories, run) =>
    isMeant(run) ? repositories.map((repository) => ({ ...repository, files: [] })) : repositories,
});

/** The query as it was asked for. */
export const queryOf = ({ given }: FaultRun): string => given.get("q") ?? "";

/** The number after which a query stops; `undefined` without one and for `all`. */
export const countOf = (query: string): number | undefined => {
  const value = filterValues(query, "count").at(-1) ?? "";
  return /^\d{1,9}$/u.test(value) ? Number(value) : undefined;
};

/** Whether a parameter is there with a value; an empty one counts as absent. */
export const isGiven = ({ given }: FaultRun, name: string): boolean => (given.get(name) ?? "") !== "";
