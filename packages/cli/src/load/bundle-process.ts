import { type BundleRequest, bundleScenario } from "@assay/scenarios";
import { answerOf } from "../run/thread-message.ts";

// The program of the process that makes the script for k6. It ends when it is no longer listened to.
process.once("message", (request: BundleRequest) => {
  void answerOf(bundleScenario(request)).then((answer) => process.send?.(answer, () => process.disconnect()));
});
