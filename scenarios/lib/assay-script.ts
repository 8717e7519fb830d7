import { setBudget } from "k6/x/assay";
import type { LoadPlan } from "@assay/results";
import type { LoadFlow } from "./arrivals.ts";
import { assayCounted } from "./assay-counted.ts";
import { assayRecorder } from "./assay-recorder.ts";
import { type LoadScript, loadScript } from "./load-script.ts";

/** A script for a k6 with the extension. To be called in k6's init code. */
export function assayScript(plan: LoadPlan, flows: readonly LoadFlow[]): LoadScript {
  setBudget(plan.conversation?.budget ?? 0);
  return loadScript({ plan, flows, recorder: assayRecorder, reader: "extension", counted: assayCounted });
}
