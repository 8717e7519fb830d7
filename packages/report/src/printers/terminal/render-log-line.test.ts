import * as fc from "fast-check";
import { expect, test } from "vitest";
import { anyText, anyRunResult } from "../../testing/arbitrary-run-result.ts";
import { hiddenCharacters } from "../../testing/styles.ts";
import { renderLogLine } from "./render-log-line.ts";
import { listVerdictEvents } from "../ci/verdict-events.ts";

const at = "2026-01-02T03:04:05.000Z";

test("an entry is one line of JSON with any text of a target", () => {
  fc.assert(
    fc.property(anyText, anyText, (reason, probe) => {
      const line = renderLogLine({ at, event: "probe-skipped", probe, reason });
      expect([line.indexOf("\n"), hiddenCharacters(line)]).toEqual([line.length - 1, []]);
      expect(JSON.parse(line)).toMatchObject({ at, event: "probe-skipped" });
      expect(line).not.toMatch(/^\s*::|##(?:\[|vso\[)/iu);
    }),
  );
});

test("each verdict has a line with `red` if and only if it makes the run fail", () => {
  fc.assert(
    fc.property(anyRunResult, (result) => {
      const events = listVerdictEvents(result);
      const red = events.some((event) => event.event === "verdict" && event.red);
      expect(events).toHaveLength(result.verdicts.length + result.incomplete.length);
      expect(red && result.exitCode === 0).toBe(false);
    }),
  );
});
