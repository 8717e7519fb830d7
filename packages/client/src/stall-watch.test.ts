import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { watchStalls } from "./stall-watch.ts";

/** Keeps the process busy. */
const beBusy = (ms: number): void => {
  const until = performance.now() + ms;
  while (performance.now() < until) {
    // Nothing else can run.
  }
};

test("a watch adds up the times in which nothing could be read, also of one that has just ended", async () => {
  const stop = watchStalls();
  await wait(30);
  beBusy(150);
  await wait(30);
  beBusy(150);
  expect(await stop()).toBeGreaterThanOrEqual(260_000);
});

test("a watch that ends at once tells of nothing", async () => {
  expect(await watchStalls()()).toBeGreaterThanOrEqual(0);
});
