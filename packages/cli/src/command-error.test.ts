import { HarnessError, harnessErrors } from "@assay/contract";
import type { HarnessErrorCode } from "@assay/contract";
import { describe, expect, test } from "vitest";
import { describeError } from "./command-error.ts";
const exitCodes = { "usage-error": 2, incomplete: 3, "harness-error": 70 } as const;
/** Errors that do not end as a usage error. */
const others: Readonly<Partial<Record<HarnessErrorCode, number>>> = {
  unavailable: 3,
  "empty-selection": 3,
  "disk-full": 70,
  "disk-failed": 70,
  "folder-removed": 70,
  "writer-closed": 70,
  "duplicate-exchange": 70,
};
const codes = Object.keys(harnessErrors).filter((code): code is HarnessErrorCode => Object.hasOwn(harnessErrors, code));

describe("an error", () => {
  test.each(codes)("with the code %s is shown as its sentence", (code) => {
    const error = new HarnessError(code, "this cannot be");
    const exitCode = others[code] ?? 2;
    expect(describeError(error, { ASSAY_DEBUG: "1" })).toEqual({ message: "this cannot be", exitCode });
    expect(describeError(error, {}, true)).toEqual({ message: error.message, exitCode });
    expect(exitCodes[harnessErrors[code]]).toBe(others[code] ?? 2);
  });

  test("about the call itself is its sentence, others begin with their code", () => {
    const messageOf = (code: HarnessErrorCode): string => new HarnessError(code, "this cannot be").message;
    expect(messageOf("usage")).toBe("this cannot be");
    expect(messageOf("disk-full")).toBe("disk-full: this cannot be");
  });

  test.each([
    { name: "an error", thrown: new TypeError("x is undefined"), shown: "TypeError: x is undefined" },
    { name: "a text", thrown: "oops", shown: "oops" },
    { name: "nothing", thrown: undefined, shown: "undefined" },
    { name: "null", thrown: null, shown: "null" },
    { name: "an object without a prototype", thrown: Object.create(null), shown: "[Object: null prototype] {}" },
  ])("that nobody foresaw, $name, is a bug and says what to do", ({ thrown, shown }) => {
    expect(describeError(thrown, {})).toEqual({
      message: `this is a bug in assay: ${shown}; set ASSAY_DEBUG=1 for a stack trace, and please report it`,
      exitCode: 70,
    });
  });

  test("that nobody foresaw shows its trace when asked to", () => {
    const { trace } = describeError(new TypeError("x is \u001B[2J"), { ASSAY_DEBUG: "1" });
    expect(trace).toMatch(/^TypeError: x is \\x1b\[2J\n {4}at [^]*\n$/u);
  });
});
