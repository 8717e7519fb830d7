import { ClientError, clientErrorCodes } from "@assay/client";
import { EvidenceError, evidenceErrorCodes } from "@assay/evidence";
import { ServerStartError, serverStartErrorCodes } from "@assay/reference-server";
import { RunnerError } from "@assay/runner";
import { describe, expect, test } from "vitest";
import { shownError, UsageError } from "./command-error.ts";

const diskCodes = new Set<string>([
  "disk-full",
  "disk-failed",
  "folder-removed",
  "writer-closed",
  "duplicate-exchange",
]);

const mistakes: readonly (readonly [string, Error, number])[] = [
  ["a mistake in the call", new UsageError("this cannot be"), 2],
  ["an unknown rule", new RunnerError("unknown-rule", "this cannot be"), 2],
  ["an unknown profile", new RunnerError("unknown-profile", "this cannot be"), 2],
  ["an empty selection", new RunnerError("empty-selection", "this cannot be"), 3],
  ...clientErrorCodes.map((code) => [`${code} of the client`, new ClientError(code, "this cannot be"), 2] as const),
  ...serverStartErrorCodes.map(
    (code) => [`${code} of the server`, new ServerStartError(code, "this cannot be"), 2] as const,
  ),
  ...evidenceErrorCodes.map(
    (code) =>
      [`${code} of the evidence`, new EvidenceError(code, "this cannot be"), diskCodes.has(code) ? 70 : 2] as const,
  ),
];

describe("an error", () => {
  test.each(mistakes)("that is %s is shown as its sentence", (_name, error, exitCode) => {
    expect(shownError(error, { ASSAY_DEBUG: "1" })).toEqual({ sentence: error.message, exitCode });
  });

  test.each([
    { name: "an error", thrown: new TypeError("x is undefined"), shown: "TypeError: x is undefined" },
    { name: "a text", thrown: "oops", shown: "oops" },
    { name: "nothing", thrown: undefined, shown: "undefined" },
    { name: "null", thrown: null, shown: "null" },
    { name: "an object without a prototype", thrown: Object.create(null), shown: "[Object: null prototype] {}" },
  ])("that nobody foresaw, $name, is a bug and says what to do", ({ thrown, shown }) => {
    expect(shownError(thrown, {})).toEqual({
      sentence: `this is a bug in assay: ${shown}; set ASSAY_DEBUG=1 to see where, and please report it`,
      exitCode: 70,
    });
  });

  test("that nobody foresaw shows its trace when asked to", () => {
    const { trace } = shownError(new TypeError("x is \u001B[2J"), { ASSAY_DEBUG: "1" });
    expect(trace).toMatch(/^TypeError: x is \\x1b\[2J\n {4}at [^]*\n$/u);
  });
});
