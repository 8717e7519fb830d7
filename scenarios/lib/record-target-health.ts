import type { LoadSide } from "@assay/contract";
import { type AnswerHead, callOutcome } from "./call-outcome.ts";
import type { Recorder } from "./recorder.ts";

/** Updates the back-off of a target after a response. */
export function recordTargetHealth(
  recorder: Recorder,
  side: LoadSide,
  head: AnswerHead & { readonly retryAfterMs: number },
): void {
  const outcome = callOutcome(head);
  if (outcome === "distress") {
    recorder.distress(side, head.retryAfterMs);
  } else if (outcome === "ok") {
    recorder.succeeded(side);
  } else {
    recorder.failed(side);
  }
}
