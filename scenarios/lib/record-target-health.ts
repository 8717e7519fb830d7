import type { LoadArm } from "@assay/results";
import { type AnswerHead, callOutcome } from "./call-outcome.ts";
import type { Recorder } from "./recorder.ts";

/** Updates the back-off of a target after a response. */
export function recordTargetHealth(
  recorder: Recorder,
  arm: LoadArm,
  head: AnswerHead & { readonly retryAfterMs: number },
): void {
  const outcome = callOutcome(head);
  if (outcome === "distress") {
    recorder.distress(arm, head.retryAfterMs);
  } else if (outcome === "ok") {
    recorder.succeeded(arm);
  } else {
    recorder.failed(arm);
  }
}
