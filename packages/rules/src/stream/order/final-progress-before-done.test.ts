import { expect, test } from "vitest";
import { doneEvent, summarizeReport, wireEvent } from "../../testing/stream-report.ts";

const id = "stream/final-progress-before-done";
const progress = (done?: unknown): string => wireEvent("progress", { done });
const isBroken = "broken 1 times, 1 observed";

test.each<{ name: string; body: string; is: string }>([
  { name: "a final progress", body: progress(false) + progress(true), is: "holds, 1 observed" },
  { name: "no final progress", body: progress(false), is: isBroken },
  { name: "a progress whose `done` is text", body: progress("true"), is: "not observed" },
  { name: "a progress whose `done` is null", body: progress(null), is: "not observed" },
  { name: "a progress without `done`", body: progress(), is: "not observed" },
  { name: "one that cannot be read, and one that can", body: progress("true") + progress(false), is: "not observed" },
  {
    name: "one that cannot be read, and a final one",
    body: progress("true") + progress(true),
    is: "holds, 1 observed",
  },
  { name: "filters alone", body: wireEvent("filters", []), is: isBroken },
  { name: "an alert alone", body: wireEvent("alert", {}), is: "not observed" },
  { name: "matches and an event without data", body: `${wireEvent("matches", [])}event: x\n\n`, is: "not observed" },
])("of $name it says: $is", ({ body, is }) => {
  expect(summarizeReport(id, { body: body + doneEvent })).toBe(is);
});
