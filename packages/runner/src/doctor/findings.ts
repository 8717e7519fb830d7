import type { DoctorCheck, DoctorCheckId } from "@assay/results";

/** What was found, and what to do about it; requirements without a full stop. */
type WithAdvice = readonly [found: string, advice: string];

/** Lines of a report; each says by its name how its check ended. */
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

/** A check that nobody could make because something before it stands in the way. */
export const notAsked = (id: DoctorCheckId): DoctorCheck =>
  couldNotTell(id, ["not asked, or not answered", "fix what is found above, then ask again"]);
