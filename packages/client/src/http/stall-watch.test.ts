import { setTimeout as wait } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { createRunClock } from "../run-clock.ts";
import { watchStalls } from "./stall-watch.ts";

/** Keeps the process busy. */
const beBusy = (ms: number): void => {
  const until = performance.now() + ms;
  while (performance.now() < until) {
    // Blocks the event loop.
  }
};

test("a watch reports when nothing could be read, including a stall that just ended", async () => {
  const clock = createRunClock();
  const stop = watchStalls(clock);
  await wait(30);
  const busyAt = clock.nowMicros();
  beBusy(150);
  await wait(30);
  beBusy(150);
  const stalls = await stop();
  expect(stalls.reduce((sum, [from, to]) => sum + to - from, 0)).toBeGreaterThanOrEqual(240_000);
  expect(stalls.some(([from, to]) => from <= busyAt + 10_000 && to >= busyAt + 149_000)).toBe(true);
});

test("very many stalls are merged with their neighbours, and none is lost", async () => {
  vi.useFakeTimers();
  let nowMicros = 0;
  const stop = watchStalls({ nowMicros: () => (nowMicros += 30_000) });
  vi.advanceTimersByTime(10 * 1000);
  vi.useRealTimers();
  const stalls = await stop();
  expect(stalls.length).toBeGreaterThan(100);
  expect(stalls.length).toBeLessThanOrEqual(256);
  expect(stalls[0]?.[0]).toBe(40_000);
  expect(stalls.at(-1)?.[1]).toBe(nowMicros);
});

test("a watch that ends at once reports almost nothing", async () => {
  expect((await watchStalls(createRunClock())()).length).toBeLessThanOrEqual(1);
});
