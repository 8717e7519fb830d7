import { describe, expect, test } from "vitest";
import { requestsJson, hasProgress, selectReporter } from "./reporter.ts";
import { callAssay } from "./testing/call-assay.ts";
import { temporaryFolder } from "./testing/temporary-folder.ts";

const cwd = temporaryFolder();

test.each([
  { options: {}, reporter: "line", progress: true },
  { options: { verbose: true }, reporter: "list", progress: true },
  { options: { reporter: "list", log: "-" }, reporter: "list", progress: false },
  { options: { quiet: true }, reporter: "quiet", progress: false },
  { options: { reporter: "agent" }, reporter: "quiet", progress: false },
  { options: { json: true }, reporter: "json", progress: false },
] as const)("$options is the reporter $reporter", ({ options, reporter, progress }) => {
  expect([selectReporter(options), hasProgress(options)]).toEqual([reporter, progress]);
});

test.each([
  { args: ["run", "--json"], asked: true },
  { args: ["run", "--reporter", "json"], asked: true },
  { args: ["run", "--reporter=json"], asked: true },
  { args: ["run", "--reporter", "agent", "json"], asked: false },
])("$args asks for JSON: $asked", ({ args, asked }) => {
  expect(requestsJson(args)).toBe(asked);
});

describe("the flags of a reporter", () => {
  test.each([
    { args: ["run", "--json", "--reporter", "agent"], two: "--reporter cannot be used with --json" },
    { args: ["client", "-q", "--reporter", "list"], two: "--reporter cannot be used with --quiet" },
    { args: ["check", "-v", "--json", "x.sse"], two: "--verbose cannot be used with --json" },
    { args: ["judge", "-v", "-q", "x"], two: "--verbose cannot be used with --quiet" },
    { args: ["doctor", "-q", "--json"], two: "--quiet cannot be used with --json" },
    { args: ["load", "merge", "a", "b", "-q", "--json"], two: "--quiet cannot be used with --json" },
  ])("contradict each other in $args", async ({ args, two }) => {
    expect(await callAssay(args, { cwd })).toEqual({
      code: 2,
      out: "",
      err: expect.stringMatching(new RegExp(`${two}; remove one of them\n$`, "u")),
    });
  });
});

test("the former name of a reporter is read for now, with a note", async () => {
  const { code, out, err } = await callAssay(["--no-config", "config", "run", "--reporter", "people"], { cwd });
  expect([code, out]).toEqual([0, expect.stringMatching(/^ {2}--reporter {2,}line {2,}flag$/mu)]);
  expect(err).toBe("note: the reporter `people` is called `line` now; the next version rejects the former name\n");
});
