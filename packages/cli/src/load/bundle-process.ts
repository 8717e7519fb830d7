import { type BundleRequest, bundleScenario } from "@assay/scenarios";
import { toStepResult } from "../run/worker-messages.ts";

// The program of the bundling process. It ends when its parent disconnects.
process.once("message", (request: BundleRequest) => {
  void toStepResult(bundleScenario(request)).then((answer) => process.send?.(answer, () => process.disconnect()));
});
