import * as assay from "k6/x/assay";
import { setBudget } from "k6/x/assay";
import type { LoadPlan } from "@assay/results";
import type { LoadFlow } from "./arrivals.ts";
import { assayRecorder } from "./assay-recorder.ts";
import { loadScript } from "./load-script.ts";
import type { LoadScript } from "./load-script.ts";
import type { Counted } from "./summary.ts";

const readCounts = (): Counted => {
  assay.settle();
  return {
    k6Version: assay.version(),
    outcomes: assay.outcomes(),
    violations: assay.violations(),
    observations: assay.observations(),
    generator: assay.generator(),
  };
};

/** Creates a script that records with `k6/x/assay`. Call it in k6's init code. */
export function assayScript(plan: LoadPlan, flows: readonly LoadFlow[]): LoadScript {
  setBudget(plan.conversation?.budget ?? 0);
  const reportsMissed = assay.missed !== undefined;
  const makesUsersAhead = assay.makesUsersAhead ?? false;
  return loadScript({ plan, flows, recorder: assayRecorder, reportsMissed, makesUsersAhead, counted: readCounts });
}
