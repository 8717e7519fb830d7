import { expect, test } from "vitest";
import type { WorkState } from "./progress.ts";
import { createProgressReporter } from "./progress-reporter.ts";

const reported = (isVerbose = false) => {
  const states: WorkState[] = [];
  const notes: string[] = [];
  const progress = {
    state: (state: WorkState) => void states.push(state),
    note: (text: string) => void notes.push(text),
    end() {},
  };
  return { states, notes, reporter: createProgressReporter({ progress, expectedProbes: 4, isVerbose }) };
};

const done = { name: "basic-search", status: "complete", bytes: 12_400, httpStatus: 200, ms: 40.1 } as const;
const failed = { name: "no-token", status: "failed", bytes: 0, ms: 3, failure: "connection refused" } as const;

test("probes are counted once, including those that are not sent", () => {
  const { states, reporter } = reported();
  reporter.probeStarted("a");
  reporter.probeStarted("b");
  reporter.probeFinished({ ...done, name: "a" });
  reporter.probeStarted("a");
  reporter.probeFinished({ ...done, name: "a" });
  reporter.probeSkipped("c");
  expect(states.map(({ text, remark }) => `${text}: ${remark}`)).toEqual([
    "0 of about 4 probes: a",
    "0 of about 4 probes: a, b",
    "1 of about 4 probes: b",
    "1 of about 4 probes: b, a",
    "1 of about 4 probes: b",
    "2 of about 4 probes: b",
  ]);
  expect(states.at(-1)?.share).toBe(0.5);
});

test("more probes than expected raise the total", () => {
  const { states, reporter } = reported();
  for (const name of ["a", "b", "c", "d", "e"]) {
    reporter.probeFinished({ ...done, name });
  }
  expect(states.at(-1)).toMatchObject({ text: "5 of about 5 probes", share: 1 });
});

test("many requests at the same time are counted", () => {
  const { states, reporter } = reported();
  for (const name of ["a", "b", "c", "d", "\u001B[2J"]) {
    reporter.probeStarted(name);
  }
  expect(states.at(-1)?.remark).toBe("a, b, c and 2 more");
});

test("the first failures have a line, and all are counted", () => {
  const { states, notes, reporter } = reported();
  for (let at = 0; at < 40; at += 1) {
    reporter.probeFinished(failed);
  }
  expect(notes).toEqual(Array.from({ length: 5 }, () => "? failed  no-token  0 B, 3 ms  connection refused"));
  expect(states.at(-1)?.text).toBe("1 of about 4 probes, 40 failed");
});

test("verbose: a line for each finished request, whose name cannot move the cursor", () => {
  const { notes, reporter } = reported(true);
  reporter.probeFinished({ ...done, name: "\u001B[2J\n::error::" });
  reporter.probeFinished(failed);
  expect(notes).toEqual([
    "done      \\x1b[2J\\n::error::  status 200, 12.4 kB, 40.1 ms",
    "? failed  no-token  0 B, 3 ms  connection refused",
  ]);
});
