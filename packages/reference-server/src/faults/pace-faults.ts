import { setTimeout as wait } from "node:timers/promises";
import { isPayloadObject } from "../payload.ts";
import type { SearchEvent } from "../stream/search-event.ts";
import { isNamed, isRunningProgress } from "./event-transforms.ts";
import { type Fault, type FaultEffect, disrupting, legal } from "./fault.ts";
import type { FaultRun } from "./fault-run.ts";

/** Waits as long as a parameter of the fault says, or until the client has left. */
const pause = async ({ signal, values }: FaultRun, parameter: string): Promise<void> => {
  await wait(Number(values[parameter]), undefined, { signal, ref: false }).catch(() => undefined);
};

const lateHead: FaultEffect = {
  layer: "bytes",
  async *apply(chunks, run) {
    run.applied();
    await pause(run, "delayMs");
    yield* chunks;
  },
};

const drip: FaultEffect = {
  layer: "bytes",
  async *apply(chunks, run) {
    const step = Math.max(1, Number(run.values["bytes"]));
    for await (const chunk of chunks) {
      for (let index = 0; index < chunk.length && !run.signal.aborted; index += step) {
        yield chunk.subarray(index, index + step);
        run.applied();
        await pause(run, "intervalMs");
      }
    }
  },
};

/** One event again and again, until the client has left. */
async function* repeated(event: SearchEvent, run: FaultRun): AsyncGenerator<SearchEvent> {
  while (!run.signal.aborted) {
    yield event;
    await pause(run, "intervalMs");
  }
}

const endless: FaultEffect = {
  layer: "events",
  async *apply(events, run) {
    for await (const event of events) {
      yield event;
      if (isRunningProgress(event)) {
        run.applied();
        yield* repeated(event, run);
        return;
      }
    }
  },
};

/** A progress of a search that has taken longer by then. */
const later = ({ name, data }: SearchEvent, byMs: number): SearchEvent => ({
  name,
  data: isPayloadObject(data) ? { ...data, durationMs: Number(data["durationMs"]) + byMs } : data,
});

/** It is the search that is slow: the progress that was made together with the first matches tells the time of both. */
const slowFirstMatch: FaultEffect = {
  layer: "events",
  async *apply(events, run) {
    let isFirst = true;
    let waitedMs = 0;
    for await (const event of events) {
      if (isFirst && isNamed("matches")(event)) {
        isFirst = false;
        run.applied();
        const startedAt = performance.now();
        await pause(run, "delayMs");
        waitedMs = Math.floor(performance.now() - startedAt);
      }
      yield waitedMs > 0 && isRunningProgress(event) ? later(event, waitedMs) : event;
      waitedMs = isRunningProgress(event) ? 0 : waitedMs;
    }
  },
};

const intervalMs = (milliseconds: number) => ({ title: "milliseconds between two of them", default: milliseconds });

/** Answers that are right in every byte and come too slowly, or never end. */
export const paceFaults: readonly Fault[] = [
  disrupting("late-headers")(
    "Nothing is sent for minutes, not even the head of the response; then the stream comes as always.",
    lateHead,
    { delayMs: { title: "milliseconds before the head", default: 120_000 } },
  ),
  disrupting("drip")(
    "The stream comes in pieces of one byte with a pause after each, and never falls silent for long.",
    drip,
    { bytes: { title: "bytes of a piece", default: 1 }, intervalMs: intervalMs(100) },
  ),
  disrupting("endless")(
    "After the first running progress the stream repeats that progress and nothing else, for ever.",
    endless,
    { intervalMs: intervalMs(20) },
  ),
  legal("slow-first-match")(
    "The head and what precedes the first matches come at once, the first matches after a delay.",
    slowFirstMatch,
    { delayMs: { title: "milliseconds before the first matches", default: 2000 } },
  ),
];
