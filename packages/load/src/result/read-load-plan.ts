import { createChecker } from "@assay/reading";
import { type LoadPlan, LoadPlanShape, upgradePlanFromVersion1 } from "@assay/results";

const planChecker = createChecker(LoadPlanShape, { allowsUnknownMembers: true });

/** Reads a stored plan of any schema version. Returns undefined if it is invalid. */
export const readLoadPlan = (stored: unknown): LoadPlan | undefined => {
  const plan = upgradePlanFromVersion1(stored);
  return planChecker.fits(plan) ? plan : undefined;
};
