import type { DoctorCheck, DoctorCheckId } from "@assay/results";

/** A finding and advice; sentences without a full stop. */
type WithAdvice = readonly [found: string, advice: string];

/** Checks of a report, by status. */
export const fine = (id: DoctorCheckId, found: string): DoctorCheck => ({ id, status: "fine", found });

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

export const couldNotTell = (id: DoctorCheckId, [found, advice]: WithAdvice): DoctorCheck => ({
  id,
  status: "could-not-tell",
  found,
  advice,
});

/** A check that an earlier problem prevented. */
export const notAsked = (id: DoctorCheckId): DoctorCheck =>
  couldNotTell(id, ["not requested, or not answered", "fix what is found above, then ask again"]);
