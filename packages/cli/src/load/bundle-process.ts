import { type BundleRequest, bundleScenario } from "@assay/scenarios";
import { answerOf } from "../run/thread-message.ts";

// The program of the bundling process. It ends when its parent disconnects.
process.once("message", (request: BundleRequest) => {
  void answerOf(bundleScenario(request)).then((answer) => process.send?.(answer, () => process.disconnect()));
});
