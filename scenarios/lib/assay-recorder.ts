import exec from "k6/execution";
import * as assay from "k6/x/assay";
import type { Recorder } from "./recorder.ts";

/** The recorder of `k6/x/assay`. All virtual users share its state. */
export const assayRecorder: Recorder = {
  nowMs: () => assay.clockMs(),
  // k6 itself has only whole milliseconds.
  scenarioStartMs: () => assay.scenarioStartMs?.() ?? exec.scenario.startTime - assay.epochMs(),
  missed: (scenario) => assay.missed?.(scenario) ?? 0,
  takeMissed: (scenario) => assay.takeMissed?.(scenario) ?? { startMs: 0, afterMs: [] },
  record: (sample) => assay.record(sample),
  callsBegin: (session) => assay.keepCalls(session),
  callsEnd: () => assay.callsEnded(),
  holdBackMs: (side) => assay.admit(side),
  distress: (side, retryAfterMs) => assay.distress(side, retryAfterMs),
  succeeded: (side) => assay.succeeded(side),
  failed: (side) => assay.failed(side),
  takeQuestion: () => assay.takeQuestion(),
  ledger: {
    intend: ({ marker, interface: name }) => assay.intend({ marker, interface: name, credential: "access-token" }),
    made: (key, id) => assay.made(key, id),
    nothing: (key) => assay.nothing(key),
    deleted: (key) => assay.deleted(key),
  },
};
