import { describe, expect, test } from "vitest";
import { createK6Environment } from "./k6-environment.ts";
import { findFirstError, shortenToLine } from "./k6-log-message.ts";

const always = { K6_NO_USAGE_REPORT: "true", K6_AUTO_EXTENSION_RESOLUTION: "false" };

test("k6 inherits the variables that a program needs, and no secret of this process", () => {
  const own = {
    PATH: "/bin",
    HTTPS_PROXY: "http://proxy",
    SRC_ACCESS_TOKEN: "sesame",
    K6_VUS: "9",
    ASSAY_TOKEN: "old",
  };
  expect(createK6Environment({ ASSAY_TOKEN: "new", UNSET: undefined }, own)).toEqual({
    PATH: "/bin",
    HTTPS_PROXY: "http://proxy",
    ASSAY_TOKEN: "new",
    ...always,
  });
});

test.each(["K6_VUS", "K6_DURATION", "K6_ITERATIONS", "K6_STAGES", "K6_RPS", "K6_SCENARIO", "K6_CLOUD_TOKEN"])(
  "%s is kept away from it",
  (name) => {
    expect(createK6Environment({ [name]: "1" }, {})).toEqual(always);
  },
);

test.each(["K6_WEB_DASHBOARD", "K6_WEB_DASHBOARD_PORT", "K6_OTEL_SERVICE_NAME", "K6_PROMETHEUS_RW_SERVER_URL"])(
  "%s is passed on",
  (name) => {
    expect(createK6Environment({ [name]: "1" }, {})).toEqual({ ...always, [name]: "1" });
  },
);

test.each([
  ["test aborted: the disk is full at file:///runs/1/scenario.js:991:13(69)", "test aborted: the disk is full"],
  ["test aborted: look at file:///x and wait", "test aborted: look at file:///x and wait"],
  ["TypeError: x at file:///runs/1/scenario.js:9:1(6)", "TypeError: x at file:///runs/1/scenario.js:9:1(6)"],
])("the place where a script ended a test is left out: %s", (line, sentence) => {
  expect(shortenToLine(line)).toBe(sentence);
});

test("fixed settings cannot be changed by the caller", () => {
  expect(createK6Environment({ K6_AUTO_EXTENSION_RESOLUTION: "true", K6_NO_USAGE_REPORT: "" }, {})).toEqual(always);
});

describe("the message of a log", () => {
  test.each<[string, string | undefined]>([
    ['time="x" level=info msg="fine"\ntime="x" level=error msg="first \\"a\\"\\n\\tat b" source=c', 'first "a"'],
    ["time=x level=fatal msg=short", "short"],
    ['level=error msg="broken \\q escape"', "broken \\q escape"],
    ["nothing of the kind", undefined],
    ['level=error msg="\\u001b[31mred\\u001b[0m\\u0007"', "red"],
  ])("of %j is %j", (log, message) => {
    expect(findFirstError(log)).toBe(message);
  });

  test("is cut when it is long", () => {
    expect(shortenToLine("x".repeat(1000))).toBe(`${"x".repeat(300)}…`);
  });
});
