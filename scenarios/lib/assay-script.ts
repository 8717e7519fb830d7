import * as assay from "k6/x/assay";
import { setBudget } from "k6/x/assay";
import type { LoadPlan } from "@assay/results";
import type { LoadFlow } from "./arrivals.ts";
import { assayRecorder } from "./assay-recorder.ts";
import { loadScript } from "./load-script.ts";
import type { LoadScript } from "./load-script.ts";
import type { Counted } from "./summary.ts";

/** What the extension counted. */
const assayCounted = (): Counted => {
  assay.settle();
  return {
    k6Version: assay.version(),
    histograms: assay.histograms(),
    outcomes: assay.outcomes(),
    violations: assay.violations(),
    observations: assay.observations(),
    generator: assay.generator(),
  };
};

/** A script for a k6 with the extension. To be called in k6's init code. */
export function assayScript(plan: LoadPlan, flows: readonly LoadFlow[]): LoadScript {
  setBudget(plan.conversation?.budget ?? 0);
  const tellsMissed = assay.missed !== undefined;
  const makesUsersAhead = assay.makesUsersAhead ?? false;
  const k6 = { reader: "extension", tellsMissed, makesUsersAhead } as const;
  return loadScript({ ...k6, plan, flows, recorder: assayRecorder, counted: assayCounted });
}
