import { describe, expect, test } from "vitest";
import { createEventLanes, maxTicks, sharedLaneName } from "./event-lanes.ts";

function lanesOf(names: readonly string[]) {
  const lanes = createEventLanes();
  for (const [index, name] of names.entries()) {
    lanes.add({ name, fromMicros: index, toMicros: index, bytes: 1, matches: 0 });
  }
  return lanes.lanes();
}

describe("lanes of events", () => {
  test("are in the order of the first event of each name", () => {
    expect(lanesOf(["progress", "matches", "progress"]).map(({ event, events }) => [event, events])).toEqual([
      ["progress", 2],
      ["matches", 1],
    ]);
  });

  test("are limited even if every event has a different name, and documented names keep theirs", () => {
    const names = Array.from({ length: 100_000 }, (_, index) => `name-${index}`);
    const lanes = lanesOf([...names, "done"]);
    expect(lanes.map(({ event, events }) => [event, events])).toEqual([
      ...names.slice(0, 6).map((name) => [name, 1]),
      [sharedLaneName, 99_994],
      ["done", 1],
    ]);
    const shared = lanes.find(({ event }) => event === sharedLaneName);
    expect(shared?.ticks).toHaveLength(maxTicks);
    expect(shared?.ticks.reduce((sum, { events }) => sum + events, 0)).toBe(99_994);
  });

  test("have names that are short and visible", () => {
    const [long, hidden] = lanesOf(["n".repeat(5000), "a\u001B[2J\u202Eb"]);
    expect([long?.event.length, hidden?.event]).toEqual([40, "a\\x1b[2J\\u{202e}b"]);
  });
});
