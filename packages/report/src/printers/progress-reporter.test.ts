import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createProgressReporter, type ProgressReporter } from "./progress-reporter.ts";
import { displayColumns } from "./display-columns.ts";

const collected = (isTty: boolean, isCi: boolean, { columns = 80, isVerbose = false } = {}) => {
  const stream = Object.assign(new PassThrough(), { columns });
  const reporter = createProgressReporter({ stream, isTty, isCi, isVerbose });
  return { stream, reporter, text: () => String(stream.read() ?? "") };
};

const done = { name: "basic-search", status: "complete", bytes: 12_400, httpStatus: 200, ms: 40.1 } as const;
const failed = {
  name: "no-token",
  status: "failed",
  bytes: 0,
  ms: 3,
  failure: "connection refused",
} as const;

const wholeRun = (reporter: ProgressReporter): void => {
  reporter.probeStarted("basic-search");
  reporter.probeFinished(done);
  reporter.probeStarted("no-token");
  reporter.probeFinished(failed);
  reporter.judging();
  reporter.end();
};

test.each([
  [false, false],
  [false, true],
  [true, true],
])("terminal %s, continuous integration %s, verbose: one plain line for each finished probe", (isTty, isCi) => {
  const { reporter, text } = collected(isTty, isCi, { isVerbose: true });
  wholeRun(reporter);
  expect(text()).toBe(`\
done      basic-search  status 200, 12.4 kB, 40.1 ms
? failed  no-token  0 B, 3 ms  connection refused
judging
`);
});

describe("elsewhere than on a terminal", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test("a run has a line when it begins, one every ten seconds, and one when it is judged", () => {
    const { reporter, text } = collected(false, true);
    reporter.probeStarted("basic-search");
    vi.advanceTimersByTime(9000);
    reporter.probeFinished(done);
    reporter.probeStarted("slow");
    vi.advanceTimersByTime(11_000);
    reporter.probeFinished(failed);
    reporter.judging();
    reporter.end();
    vi.advanceTimersByTime(60_000);
    expect(text()).toBe(`\
sending requests; progress every 10 s
10 s: 1 probe done, 12.4 kB, none failed; running slow for 1 s
20 s: 1 probe done, 12.4 kB, none failed; running slow for 11 s
? failed  no-token  0 B, 3 ms  connection refused
judging: 2 probes done, 12.4 kB, 1 failed, in 20 s
`);
  });

  test("of many failures the first ones are told, and all are counted", () => {
    const { reporter, text } = collected(false, false);
    reporter.probeStarted("no-token");
    for (let at = 0; at < 40; at += 1) {
      reporter.probeFinished(failed);
    }
    reporter.end();
    const lines = text().split("\n");
    expect(lines.filter((line) => line.startsWith("? failed"))).toHaveLength(5);
    expect(lines.at(-2)).toBe("ended before it was judged: 40 probes done, 0 B, 40 failed, in 0 s");
  });

  test("many probes at a time are counted, and one that is not asked has no line", () => {
    const many = collected(false, false);
    for (const name of ["a", "b", "c", "d", "\u001B[2J"]) {
      many.reporter.probeStarted(name);
    }
    vi.advanceTimersByTime(10_000);
    expect(many.text()).toContain("; running a for 10 s, b for 10 s, c for 10 s and 2 more\n");
    const none = collected(false, false);
    none.reporter.end();
    expect(none.text()).toBe("");
  });
});

test("on a terminal one line is rewritten, a failed probe keeps a line, and nothing else is left", () => {
  const { reporter, text } = collected(true, false);
  wholeRun(reporter);
  const erase = "\r\u001B[K";
  expect(text().split(erase)).toEqual([
    "",
    "0 probes done, running basic-search",
    "1 probe done, last basic-search  status 200, 12.4 kB, 40.1 ms",
    "1 probe done, running no-token",
    "? failed  no-token  0 B, 3 ms  connection refused\n",
    "2 probes done, last no-token  0 B, 3 ms  connection refused",
    "2 probes done, judging",
    "",
  ]);
});

test("the live line never reaches the last column", () => {
  const { reporter, text } = collected(true, false, { columns: 24 });
  reporter.probeStarted("a".repeat(200));
  expect(displayColumns(text().slice("\r\u001B[K".length))).toBe(23);
});

test("names cannot move the cursor", () => {
  const { reporter, text } = collected(false, false, { isVerbose: true });
  reporter.probeFinished({ ...done, name: "\u001B[2J\n::error::" });
  expect(text()).toBe("done      \\x1b[2J\\n::error::  status 200, 12.4 kB, 40.1 ms\n");
});

test("a reader that went away is no reason to fail, at once or later", () => {
  let writes = 0;
  const stream = Object.assign(new EventEmitter(), {
    write: () => {
      writes += 1;
      throw Object.assign(new Error("write EPIPE"), { code: "EPIPE" });
    },
  });
  const reporter = createProgressReporter({ stream, isTty: true, isCi: false });
  expect(() => wholeRun(reporter)).not.toThrow();
  expect(() => stream.emit("error", new Error("write EPIPE"))).not.toThrow();
  expect(writes).toBe(1);
});
