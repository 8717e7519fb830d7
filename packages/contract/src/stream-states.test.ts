import { describe, expect, test } from "vitest";
import { eventsWhile, nextStreamState, streamStates, streamTriggers } from "./stream-states.ts";

describe("the states of a stream", () => {
  test.each([
    { from: "searching", trigger: "progress", to: "searching" },
    { from: "searching", trigger: "final-progress", to: "finishing" },
    { from: "searching", trigger: "done", to: "closed" },
    { from: "finishing", trigger: "done", to: "closed" },
    { from: "finishing", trigger: "progress", to: undefined },
    { from: "finishing", trigger: "final-progress", to: undefined },
  ] as const)("$trigger while $from leads to $to", ({ from, trigger, to }) => {
    expect(nextStreamState(from, trigger)).toBe(to);
  });

  test("closed has no transitions and allows no events", () => {
    expect(streamTriggers.map((trigger) => nextStreamState("closed", trigger))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(eventsWhile.closed).toEqual([]);
  });

  test("closed is reachable from every open state", () => {
    const open = streamStates.filter((state) => state !== "closed");
    expect(open.map((state) => nextStreamState(state, "done"))).toEqual(open.map(() => "closed"));
  });
});
