import type { LoadOutcome, LoadPlan, StreamSample } from "@assay/results";
import http from "k6/http";
import type { RefinedResponse } from "k6/http";
import { Rate, Trend } from "k6/metrics";
import { callOutcome } from "./call-outcome.ts";
import { headersFor } from "./credentials.ts";
import { heldBackSearch } from "./held-back-search.ts";
import type { Task } from "./iteration.ts";
import { headerOf, headOf } from "./k6-answer.ts";
import type { Recorder } from "./recorder.ts";
import { searchUrl } from "./search-url.ts";
import { recordTargetHealth } from "./record-target-health.ts";

const firstByteOk = new Rate("first_byte_ok");
const firstByte = new Trend("first_byte", true);
const lastByte = new Trend("last_byte", true);

function outcomeOf(response: RefinedResponse<"none">): LoadOutcome {
  const outcome = callOutcome(headOf(response));
  const isStream = (headerOf(response.headers, "content-type") ?? "").startsWith("text/event-stream");
  return outcome === "ok" && (response.status !== 200 || !isStream) ? "bad-status" : outcome;
}

function countSearch({ planMs, headersMs = 0, endMs, outcome }: StreamSample): void {
  firstByteOk.add(outcome === "ok");
  if (outcome === "ok") {
    firstByte.add(headersMs - planMs);
    lastByte.add(endMs - planMs);
  }
}

/**
 * Searches by k6's own HTTP client, which shows a body only when all of it has come: it tells when the first byte and the last
 * came, not when the first match did, and judges nothing of what is in between. To be made in k6's init code.
 */
export function firstByteSearcher(plan: LoadPlan, recorder: Recorder): (task: Task) => void {
  const headers = { a: headersFor(__ENV, "a"), b: headersFor(__ENV, "b") };
  return (task) => {
    const { iteration, asked, target } = task;
    const { arm, query } = iteration;
    if (recorder.holdBackMs(arm) > 0) {
      recorder.record(heldBackSearch(task));
      return;
    }
    const sendMs = recorder.nowMs();
    const response = http.get(searchUrl(target, asked.text), {
      headers: { ...headers[arm] },
      timeout: plan.timeoutMs,
      redirects: 0,
      responseType: "none",
      tags: { name: "search", query },
    });
    const endMs = recorder.nowMs();
    recordTargetHealth(recorder, arm, headOf(response));
    const sample: StreamSample = {
      kind: "stream",
      ...iteration,
      sendMs,
      endMs,
      outcome: outcomeOf(response),
      ...(response.status === 0 ? {} : { status: response.status, headersMs: endMs - response.timings.receiving }),
      events: 0,
      matches: 0,
      bytes: 0,
    };
    recorder.record(sample);
    countSearch(sample);
  };
}
