import { currentMachine, legacyMachine } from "@assay/contract";
import { createHistoryChecker } from "@assay/state-machine";
import { expect, test } from "vitest";
import { createLastStateChecker } from "./last-state-checker.ts";
import { measure } from "./measure.ts";
import { pollTraffic } from "./poll-traffic.ts";

const shapes = [legacyMachine, currentMachine].map((machine) => ({
  name: machine.interface,
  machine,
  observations: 2000,
  conversations: 10,
  sessions: 3,
}));

test.each(shapes)("traffic of the $name interface keeps every rule and passes every check", (shape) => {
  const checker = createHistoryChecker(shape.machine);
  for (const read of pollTraffic(shape)) {
    checker.observe(read);
  }
  const { findings, observations } = checker.finish();
  expect(findings).toEqual([]);
  expect(observations["backward-transition"]).toBeGreaterThan(1900);
  expect(observations["terminal-content-changed"]).toBeGreaterThan(1000);
});

test.each(shapes)("measures the time of the $name interface", (shape) => {
  const { checkMs, parseMs, findings } = measure(shape, () => createHistoryChecker(shape.machine));
  expect([checkMs > 0, parseMs > 0, findings]).toEqual([true, true, 0]);
});

test.each(shapes)("the peer accepts the traffic of the $name interface, and no step back", (shape) => {
  const reads = [...pollTraffic(shape)];
  const findingsOf = (history: typeof reads): number => {
    const peer = createLastStateChecker(shape.machine);
    for (const read of history) {
      peer.observe(read);
    }
    return peer.finish().findings.length;
  };
  expect(findingsOf(reads)).toBe(0);
  expect(findingsOf(reads.toReversed())).toBeGreaterThan(0);
});
