import type { SearchEvent } from "../service/stream/search-event.ts";
import {
  type EventEffect,
  changeFirst,
  isFinalProgress,
  isRunningProgress,
  once,
  replaceEvents,
} from "./event-transforms.ts";
import {
  type EffectAt,
  type Fault,
  type FaultEffects,
  type Variants,
  defineDisruption,
  defineLegalVariation,
  selectVariant,
  changeBytes,
  withSettings,
  defineViolation,
} from "./fault.ts";
import { type FaultRun, pause } from "./fault-run.ts";
import { addToMember } from "./json-mutation.ts";

type BytesEffect = EffectAt<"bytes">;

/** Delays the head by `headMs`, and the end of the response by `endMs`. */
const delayHeadAndEnd = ({ headMs = 0, endMs = 0 }): BytesEffect =>
  changeBytes(async function* (chunks, run) {
    run.recordChange();
    await pause(run, headMs);
    yield* chunks;
    await pause(run, endMs);
  });

/** Sends the first `byteCount` bytes in pieces of `size` bytes, with a pause of `pauseMs` after each. Sends the rest unchanged. */
const sendInPieces = (size: number, byteCount: number, pauseMs?: number): BytesEffect =>
  changeBytes(async function* (chunks, run) {
    let remainingBytes = byteCount;
    for await (const chunk of chunks) {
      let at = 0;
      while (at < chunk.length && !run.signal.aborted) {
        const piece = chunk.subarray(at, remainingBytes > 0 ? at + Math.max(1, size) : chunk.length);
        yield piece;
        at += piece.length;
        remainingBytes -= piece.length;
        run.recordChange();
        await (pauseMs === undefined ? undefined : pause(run, pauseMs));
      }
    }
  });

/** Buffers the whole stream, including the head, and sends it in one piece. */
export const sendInOnePiece = (isRecorded: boolean): BytesEffect =>
  changeBytes(async function* (chunks, run) {
    const heldBytes: Buffer[] = [];
    for await (const chunk of chunks) {
      heldBytes.push(chunk);
    }
    if (isRecorded) {
      run.recordChange();
    }
    yield Buffer.concat(heldBytes);
  });

/** Repeats one event until the client disconnects. */
async function* repeatEvent(event: SearchEvent, run: FaultRun, intervalMs: number): AsyncGenerator<SearchEvent> {
  while (!run.signal.aborted) {
    yield event;
    await pause(run, intervalMs);
  }
}

/** Allowance for timers that fire 1 ms early and durations that are rounded down. */
const spareMs = 5;

async function* beforePause(event: SearchEvent, run: FaultRun, milliseconds: number): AsyncGenerator<SearchEvent> {
  yield event;
  await pause(run, milliseconds + spareMs);
}

/**
 * Pauses the first selected searches that find matches, after their first results. The search itself waits, so that its reported durations
 * include the pause.
 */
export const slowSearch = (isSelected: (run: FaultRun) => boolean = () => true): FaultEffects =>
  withSettings(
    {
      ms: { title: "minimum milliseconds between the first and the final progress", default: 1200 },
      searches: { title: "number of searches to slow down, the first ones that find matches", default: 2 },
    },
    ({ ms, searches }) =>
      replaceEvents((run) =>
        once((event) =>
          isRunningProgress(event) && isSelected(run) && run.nextNumber() < searches
            ? beforePause(event, run, ms)
            : undefined,
        ),
      ),
  );

/** Delays the matches of selected searches until their end. */
const matchesAtTheEnd = (isSelected: (run: FaultRun) => boolean): EventEffect =>
  replaceEvents((run) => {
    const heldEvents: SearchEvent[] = [];
    return (event) => {
      if (isSelected(run) && event.name === "matches") {
        heldEvents.push(event);
        return [];
      }
      return isFinalProgress(event) && heldEvents.length > 0 ? [...heldEvents.splice(0), event] : undefined;
    };
  });

const searchSelections: Variants<(run: FaultRun) => boolean> = {
  "with-cm": ({ queryParameters }) => queryParameters.get("cm") === "true",
  all: () => true,
};

async function* afterPause(event: SearchEvent, run: FaultRun, milliseconds: number): AsyncGenerator<SearchEvent> {
  await pause(run, milliseconds + spareMs);
  yield event;
}

/** Slows down the search itself, so that the `progress` event of the first matches includes the delay. */
const slowFirstMatch = (delayMs: number): FaultEffects => [
  replaceEvents((run) => once((event) => (event.name === "matches" ? afterPause(event, run, delayMs) : undefined))),
  changeFirst(isRunningProgress, addToMember("durationMs", delayMs)),
];

const delay = (title: string, milliseconds: number, effectOf: (milliseconds: number) => FaultEffects) =>
  withSettings({ delayMs: { title, default: milliseconds } }, ({ delayMs }) => effectOf(delayMs));

const interval = (milliseconds: number) => ({ title: "milliseconds between two pieces", default: milliseconds });

/** Faults in the pace of a correct stream: too slow, in different pieces, or endless. */
export const paceFaults: readonly Fault[] = [
  defineViolation("stream/results-arrive-incrementally", "one-burst")(
    "Streams arrive in one piece when they are complete, as through a buffering proxy. The first searches are slowed down to make this visible.",
    [sendInOnePiece(false), slowSearch()],
  ),
  defineViolation("stream/results-arrive-incrementally", "matches-held-back")(
    "Progress is sent while a search runs, but all matches only at its end, for example in searches with `cm=true`. The first of these are slowed down to make this visible.",
    selectVariant(searchSelections, (isSelected) => [slowSearch(isSelected), matchesAtTheEnd(isSelected)], [
      "of",
      "which searches",
    ]),
  ),
  defineLegalVariation("trickle")(
    "The first searches that find matches are slowed down, and each event is sent as soon as it is created.",
    slowSearch(),
  ),
  defineLegalVariation("all-at-once")(
    "Streams arrive in one piece, and searches take no longer than usual.",
    sendInOnePiece(true),
  ),
  defineDisruption("late-headers")(
    "Nothing is sent for minutes, not even the head of the response; then the stream is sent as usual.",
    delay("milliseconds before the head", 120_000, (headMs) => delayHeadAndEnd({ headMs })),
  ),
  defineDisruption("drip")(
    "The stream arrives in pieces of one byte with a short pause after each.",
    withSettings(
      { bytes: { title: "bytes in a piece", default: 1 }, intervalMs: interval(100) },
      ({ bytes, intervalMs }) => sendInPieces(bytes, Number.POSITIVE_INFINITY, intervalMs),
    ),
  ),
  defineDisruption("endless")(
    "After the first unfinished `progress` event, the stream repeats only that event, forever.",
    withSettings({ intervalMs: interval(20) }, ({ intervalMs }) =>
      replaceEvents((run) =>
        once((event) => (isRunningProgress(event) ? repeatEvent(event, run, intervalMs) : undefined)),
      ),
    ),
  ),
  defineLegalVariation("slow-first-match")(
    "The head and the events before the first `matches` event are sent immediately, and that event after a delay.",
    delay("milliseconds before the first matches", 2000, slowFirstMatch),
  ),
  defineLegalVariation("one-byte-chunks")(
    "The beginning of the stream arrives in chunks of one byte.",
    withSettings({ bytes: { title: "number of bytes sent one by one", default: 4096 } }, ({ bytes }) =>
      sendInPieces(1, bytes),
    ),
  ),
  defineLegalVariation("late-start")(
    "The response starts after a delay.",
    delay("milliseconds before the first byte", 1000, (headMs) => delayHeadAndEnd({ headMs })),
  ),
  defineLegalVariation("late-end")(
    "The response remains open for a while after `done`, as through a proxy that is slow to close.",
    withSettings({ ms: { title: "milliseconds between `done` and the end", default: 300 } }, ({ ms: endMs }) =>
      delayHeadAndEnd({ endMs }),
    ),
  ),
];
