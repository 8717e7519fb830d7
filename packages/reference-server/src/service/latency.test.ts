import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { drawDelayMs, slowDown, scaleDelay } from "./latency.ts";
import { seededRandom } from "./seeded-random.ts";
import type { SearchEvent } from "./stream/search-event.ts";

const laptop = { medianMs: 5, sigma: 0.3 };

test("a latency factor multiplies the same delay", () => {
  fc.assert(
    fc.property(fc.nat(1000), fc.double({ min: 0.1, max: 10, noNaN: true }), (seed, factor) => {
      const plain = drawDelayMs(laptop, seededRandom(seed, "x"));
      expect(drawDelayMs(scaleDelay(laptop, factor), seededRandom(seed, "x"))).toBeCloseTo(plain * factor, 6);
    }),
  );
});

describe("a slowed stream", () => {
  async function* events(): AsyncGenerator<SearchEvent> {
    yield { name: "done", data: {} };
  }

  const tookMs = async (latencyFactor: number): Promise<number> => {
    const started = performance.now();
    const { signal } = new AbortController();
    const random = seededRandom(1, "x");
    for await (const event of slowDown(events(), { latency: "laptop", latencyFactor, random, signal })) {
      expect(event.name).toBe("done");
    }
    return performance.now() - started;
  };

  test("with factor 10 takes at least as long as ten of its delays", async () => {
    const delay = drawDelayMs(laptop, seededRandom(1, "x"));
    expect(await tookMs(10)).toBeGreaterThan(10 * delay - 2);
  });
});
