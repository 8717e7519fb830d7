import { setTimeout as wait } from "node:timers/promises";
import type { SearchEvent } from "../stream/search-event.ts";
import { isFinalProgress, isRunningProgress } from "./event-transforms.ts";
import type { EventEffect } from "./event-transforms.ts";
import { type Fault, type FaultEffect, type FaultParameters, legal, violating } from "./fault.ts";
import type { FaultRun } from "./fault-run.ts";

/** Timers may be early by one millisecond, and durations are rounded down. */
const spareMs = 5;

/** How slow a search is, and how often. */
export const slowness: FaultParameters = {
  ms: { title: "least milliseconds between the first and the final progress", default: 1200 },
  searches: { title: "number of searches that are slowed, the first ones that find something", default: 2 },
};

/** A search that takes its time after the first results. It is the search that waits, so its own durations tell of it. */
export const slowSearch: EventEffect = {
  layer: "events",
  async *apply(events, run) {
    const { signal, values } = run;
    let isFirst = true;
    for await (const event of events) {
      yield event;
      if (isFirst && isRunningProgress(event)) {
        isFirst = false;
        if (run.ticket() < Number(values["searches"])) {
          run.applied();
          await wait(Number(values["ms"]) + spareMs, undefined, { signal, ref: false }).catch(() => undefined);
        }
      }
    }
  },
};

/** Sends nothing, not even the head, before the last byte is there. */
const inOnePiece = (tellsJournal: boolean): FaultEffect => ({
  layer: "bytes",
  async *apply(chunks, run) {
    const all: Buffer[] = [];
    for await (const chunk of chunks) {
      all.push(chunk);
    }
    if (tellsJournal) {
      run.applied();
    }
    yield Buffer.concat(all);
  },
});

/** Sends progress as it is made, and keeps the matches until the search is over. */
const matchesAtTheEnd = (isHeldBack: (run: FaultRun) => boolean): EventEffect => ({
  layer: "events",
  async *apply(events, run) {
    if (!isHeldBack(run)) {
      yield* events;
      return;
    }
    const held: SearchEvent[] = [];
    for await (const event of slowSearch.apply(events, run)) {
      if (event.name === "matches") {
        run.applied();
        held.push(event);
        continue;
      }
      yield* isFinalProgress(event) ? held.splice(0) : [];
      yield event;
    }
    yield* held;
  },
});

const kinds: Readonly<Record<string, (run: FaultRun) => boolean>> = {
  all: () => true,
  "with-cm": ({ given }) => given.get("cm") === "true",
};

/** How a stream that takes its time arrives, and how one that does not. */
export const orderArrivalFaults: readonly Fault[] = [
  violating("stream/results-arrive-incrementally", "one-burst")(
    "Streams arrive in one piece once they are complete, as behind a buffering proxy; the first searches are slowed, so that it can be seen.",
    [inOnePiece(false), slowSearch],
    slowness,
  ),
  violating("stream/results-arrive-incrementally", "matches-held-back")(
    "Progress is sent while the search runs, and all matches at its end, in searches with `cm=true` or in every one; the first of these are slowed, so that it can be seen.",
    matchesAtTheEnd((run) => kinds[String(run.values["of"])]?.(run) ?? false),
    {
      ...slowness,
      of: { title: "which searches", default: "with-cm", choices: Object.keys(kinds) },
    },
  ),
  legal("trickle")(
    "The first searches that find something are slowed, and each event is sent as soon as it is made.",
    slowSearch,
    slowness,
  ),
  legal("all-at-once")(
    "Streams arrive in one piece, and the searches take no longer than they always do.",
    inOnePiece(true),
  ),
];
