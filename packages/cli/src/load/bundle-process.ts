import { type BundleRequest, bundleScenario } from "@assay/scenarios";
import { toStepAnswer } from "../run/thread-message.ts";

// The program of the bundling process. It ends when its parent disconnects.
process.once("message", (request: BundleRequest) => {
  void toStepAnswer(bundleScenario(request)).then((answer) => process.send?.(answer, () => process.disconnect()));
});
