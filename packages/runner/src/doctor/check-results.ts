import type { DoctorCheck, DoctorCheckId } from "@assay/results";

/** A finding and advice, without trailing periods. */
type WithAdvice = readonly [found: string, advice: string];

/** Creates a check with the status `fine`. */
export const ok = (id: DoctorCheckId, found: string): DoctorCheck => ({ id, status: "fine", found });

export const notApplicable = (id: DoctorCheckId, found: string): DoctorCheck => ({
  id,
  status: "not-applicable",
  found,
});

export const note = (id: DoctorCheckId, [found, advice]: WithAdvice): DoctorCheck => ({
  id,
  status: "note",
  found,
  advice,
});

export const problem = (id: DoctorCheckId, [found, advice]: WithAdvice): DoctorCheck => ({
  id,
  status: "problem",
  found,
  advice,
});

export const inconclusive = (id: DoctorCheckId, [found, advice]: WithAdvice): DoctorCheck => ({
  id,
  status: "could-not-tell",
  found,
  advice,
});

/** Creates a check that could not be run because of an earlier problem. */
export const notChecked = (id: DoctorCheckId): DoctorCheck =>
  inconclusive(id, ["not requested, or no response", "fix the problems above, then run doctor again"]);
