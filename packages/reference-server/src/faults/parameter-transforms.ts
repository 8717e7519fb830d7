import type { SearchParameters } from "../http/search-parameters.ts";
import { filterValues } from "../query/edit-filters.ts";
import type { FaultEffect } from "./fault.ts";
import type { FaultRun } from "./fault-run.ts";

export type ParameterEffect = Extract<FaultEffect, { layer: "parameters" }>;

/**
 * An effect that searches with other parameters than were asked for. `undefined` leaves them as they are; a request that is
 * refused anyway stays refused.
 */
export const searchWith = (
  change: (parameters: SearchParameters, run: FaultRun) => SearchParameters | undefined,
): ParameterEffect => ({
  layer: "parameters",
  apply: (checked, run) => {
    const parameters = checked.ok ? change(checked.parameters, run) : undefined;
    if (parameters === undefined) {
      return checked;
    }
    run.applied();
    return { ok: true, parameters };
  },
});

/** The number after which a query stops; `undefined` without one and for `all`. */
export const countOf = (query: string): number | undefined => {
  const value = filterValues(query, "count").at(-1) ?? "";
  return /^\d{1,9}$/u.test(value) ? Number(value) : undefined;
};

/** Whether a parameter is there with a value; an empty one counts as absent. */
export const isGiven = ({ given }: FaultRun, name: string): boolean => (given.get(name) ?? "") !== "";
