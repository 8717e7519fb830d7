import type { LoadSample } from "@assay/results";
import { describe, expect, test } from "vitest";
import { conversationAt, failedAt, planWith, streamAt } from "../testing/load-fixtures.ts";
import { findSaturation } from "./saturation.ts";
import { parseThreshold } from "./threshold.ts";

const plan = planWith({ maxVus: 20, warmupMs: 0 });
const found = (samples: readonly LoadSample[], ...thresholds: readonly string[]) =>
  findSaturation(
    plan,
    [{ epochMs: 1000, samples }],
    thresholds.map((text) => parseThreshold(text)),
  );
const notBegun = (planMs: number): LoadSample => failedAt(planMs, "not-begun", { sendMs: planMs, endMs: planMs });
/** Ten a second for ten seconds at ease; then none ends any more, twenty wait, and the others cannot begin. */
const stalling = [
  ...Array.from({ length: 100 }, (_none, at) => streamAt(at * 100)),
  ...Array.from({ length: 20 }, (_none, at) => failedAt(10_000 + at * 100, "timeout", { endMs: 40_000 })),
  ...Array.from({ length: 80 }, (_none, at) => notBegun(12_000 + at * 100)),
];

test("a target that accepts every arrival is not saturated, however slow", () => {
  const slow = Array.from({ length: 50 }, (_none, at) => failedAt(at * 100, "timeout", { endMs: 60_000 }));
  expect(found(slow)).toBeUndefined();
});

test("a target that stalls is saturated once no virtual user is free, and its queue grew before", () => {
  expect(found(stalling)).toMatchObject({ notBegun: 80, heldBack: 0, maxVus: 20, fromMs: 12_000 });
  expect(found(stalling)?.servedPerSecond).toBeCloseTo(10, 0);
  expect(Math.abs((found(stalling)?.growingFromMs ?? 0) - 10_000)).toBeLessThanOrEqual(300);
  expect(found(stalling)?.sentence).toBe(
    "the target is saturated: 80 of 200 arrivals could not begin, because all 20 virtual users were waiting for it from second 12.0 on; its queue grew from second 10.0 on; it served at most 10.05 a second; raise --max-vus to let more wait at a time",
  );
});

test("only requests within the limits of latency count as served", () => {
  expect(found(stalling, "first-match p95 < 19")).toMatchObject({ servedPerSecond: 0 });
  expect(found(stalling, "first-match p95 < 19")?.sentence).toContain("none was served within `first-match p95 < 19`");
  expect(found(stalling, "first-match p95 < 21", "ok-rate > 0.5")?.servedPerSecond).toBeCloseTo(10, 0);
});

test("a target that asks for fewer is saturated as well, and no limit of virtual users is to be raised for it", () => {
  const held = [...stalling.slice(0, 100), failedAt(10_000, "held-back", { sendMs: 10_000, endMs: 10_000 })];
  expect(found(held)).toMatchObject({ notBegun: 0, heldBack: 1 });
  expect(found(held)?.sentence).toContain("1 of 101 arrivals were held back, because it asked for fewer");
  expect(found(held)?.sentence).not.toContain("--max-vus");
});

test("the warm-up does not count, but the clock of the run begins with it", () => {
  const warm = [streamAt(0, { phase: "warmup" }), { ...notBegun(10), phase: "warmup" as const }];
  expect(found(warm)).toBeUndefined();
  expect(found([...warm, streamAt(1000), notBegun(5000)])).toMatchObject({ notBegun: 1, fromMs: 5000 });
});

describe("the cause of arrivals that could not begin", () => {
  const slow = (count: number, everyMs: number, lastsMs: number): readonly LoadSample[] =>
    Array.from({ length: count }, (_none, at) =>
      streamAt(at * everyMs, { firstMatchMs: at * everyMs + lastsMs, endMs: at * everyMs + lastsMs }),
    );
  const refused = Array.from({ length: 40 }, (_none, at) => notBegun(20_000 + at * 100));
  const ownLimit = (samples: readonly LoadSample[]) => found([...samples, ...refused])?.limitedBy;
  const mixed = (at: number): number => (at % 20 === 0 ? 3000 : 10);

  test.each<[string, readonly LoadSample[], "max-vus" | undefined]>([
    ["a target that always took three seconds", slow(10, 2000, 3000), "max-vus"],
    ["one of which nothing had ended before", slow(2, 10, 30_000), "max-vus"],
    ["one that answered a few, and then held two", [...slow(4, 100, 50), ...slow(2, 10, 60_000)], "max-vus"],
    [
      "one with a few slow answers among quick ones, of which a moment shows the slow ones",
      Array.from({ length: 200 }, (_none, at) => streamAt(at * 100, { endMs: at * 100 + mixed(at) })),
      "max-vus",
    ],
    [
      "one whose queue grows",
      Array.from({ length: 300 }, (_none, at) => streamAt(at * 100, { endMs: at * 150 + 50 })),
      undefined,
    ],
    [
      "one that stalls",
      [
        ...slow(100, 100, 50),
        ...slow(120, 100, 50)
          .slice(100)
          .map((one) => ({ ...one, endMs: 40_000 })),
      ],
      undefined,
    ],
  ])("%s", (_name, samples, limitedBy) => {
    expect(ownLimit(samples)).toBe(limitedBy);
  });

  test("searches do not speak for conversations", () => {
    const conversations = Array.from({ length: 10 }, (_none, at) =>
      conversationAt(at * 2000, { endMs: at * 2000 + 9000 }),
    );
    const left = conversationAt(20_000, { outcome: "not-begun", sendMs: 20_000, endMs: 20_000 });
    expect(found([...stalling, ...conversations, left])?.limitedBy).toBe("max-vus");
  });

  test("the sentence names the limit and gives no advice about the target", () => {
    expect(found([...slow(10, 2000, 3000), ...refused])?.sentence).toBe(
      "the load is limited by --max-vus: 40 of 50 arrivals could not begin, because all 20 virtual users were busy from second 20.0 on; the target served at most 0.84 a second; nothing shows that the target took longer than before, so raise --max-vus",
    );
  });
});
