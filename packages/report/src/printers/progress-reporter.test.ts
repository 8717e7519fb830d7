import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { createProgressReporter, type ProgressReporter } from "./progress-reporter.ts";
import { displayColumns } from "./display-columns.ts";

const collected = (isTty: boolean, isCi: boolean, columns = 80) => {
  const stream = Object.assign(new PassThrough(), { columns });
  const reporter = createProgressReporter({ stream, isTty, isCi });
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
])("terminal %s, continuous integration %s: one plain line for each finished probe", (isTty, isCi) => {
  const { reporter, text } = collected(isTty, isCi);
  wholeRun(reporter);
  expect(text()).toBe(`\
done      basic-search  status 200, 12.4 kB, 40.1 ms
? failed  no-token  0 B, 3 ms  connection refused
judging
`);
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
  const { reporter, text } = collected(true, false, 24);
  reporter.probeStarted("a".repeat(200));
  expect(displayColumns(text().slice("\r\u001B[K".length))).toBe(23);
});

test("names cannot move the cursor", () => {
  const { reporter, text } = collected(false, false);
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
