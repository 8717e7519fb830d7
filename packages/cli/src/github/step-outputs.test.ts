import * as fc from "fast-check";
import { expect, test } from "vitest";
import { formatStepOutputs } from "./step-outputs.ts";

const output = /(?<name>[a-z-]+)(?:<<(?<mark>[^\n]+)\n(?<lines>[^]*?)\n\k<mark>|=(?<plain>[^\n]*))\n/guy;

/** Outputs as the runner of GitHub reads them, from the first line to the last. */
const outputsIn = (text: string): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(
    [...text.matchAll(output)].map(({ groups }) => [groups?.["name"], groups?.["lines"] ?? groups?.["plain"]]),
  );

test("a value of one line is written plainly", () => {
  expect(formatStepOutputs({ outcome: "passed", "exit-code": "0" })).toBe("outcome=passed\nexit-code=0\n");
});

test("no value sets another output", () => {
  const value = fc.oneof(
    fc.string(),
    fc.constantFrom("a\noutcome=passed", "a\nASSAY_END\noutcome=passed\nASSAY_END_", "x<<y\ny", "\n", "a\r\nb"),
  );
  fc.assert(
    fc.property(value, value, (folder, report) => {
      const outputs = { "run-folder": folder, report };
      expect(outputsIn(formatStepOutputs(outputs))).toEqual(outputs);
    }),
  );
});
