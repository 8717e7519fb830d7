import type { Frame } from "../stream/frame.ts";
import type { SearchEvent } from "../stream/search-event.ts";
import type { FaultEffect } from "./fault.ts";
import type { FaultRun } from "./fault-run.ts";

export type FrameEffect = Extract<FaultEffect, { layer: "frames" }>;

/** An effect that rewrites the text of the first frame that fits; `undefined` leaves a frame alone and waits for the next. */
export const rewriteFirst = (
  fits: (event: SearchEvent) => boolean,
  rewrite: (text: string, run: FaultRun) => string | Buffer | undefined,
): FrameEffect => ({
  layer: "frames",
  async *apply(frames, run) {
    let rewritten = false;
    for await (const frame of frames) {
      const changed = rewritten || !fits(frame.event) ? undefined : rewrite(frame.bytes.toString("utf8"), run);
      if (changed === undefined) {
        yield frame;
        continue;
      }
      rewritten = true;
      run.applied();
      yield { ...frame, bytes: Buffer.from(changed) };
    }
  },
});

/** An effect that rewrites the text of every frame. */
export const rewriteEach = (rewrite: (text: string, run: FaultRun) => string): FrameEffect => ({
  layer: "frames",
  async *apply(frames, run) {
    for await (const frame of frames) {
      run.applied();
      yield { ...frame, bytes: Buffer.from(rewrite(frame.bytes.toString("utf8"), run)) };
    }
  },
});

/** An effect on the first frame that is followed by one that fits: both are at hand when it is rewritten. */
export const rewriteBefore = (
  fits: (event: SearchEvent, next: SearchEvent) => boolean,
  rewrite: (text: string) => string,
): FrameEffect => ({
  layer: "frames",
  async *apply(frames, run) {
    let previous: Frame | undefined;
    let rewritten = false;
    for await (const frame of frames) {
      if (previous !== undefined && !rewritten && fits(previous.event, frame.event)) {
        rewritten = true;
        run.applied();
        yield { event: previous.event, bytes: Buffer.from(rewrite(previous.bytes.toString("utf8"))) };
      } else if (previous !== undefined) {
        yield previous;
      }
      previous = frame;
    }
    if (previous !== undefined) {
      yield previous;
    }
  },
});
