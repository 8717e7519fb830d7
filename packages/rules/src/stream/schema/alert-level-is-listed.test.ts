import { expect, test } from "vitest";
import { doneEvent, saidOfStream, shortly, wireEvent } from "../../testing/said-of-stream.ts";

const id = "stream/alert-level-is-listed";
const holds = "holds, 1 observed";

test.each<{ name: string; alert: unknown; is: string }>([
  { name: "a listed level", alert: { level: "Error" }, is: holds },
  { name: "an abbreviated one", alert: { severity: "err" }, is: holds },
  { name: "one in another spelling", alert: { level: "LEVEL_WARNING" }, is: holds },
  { name: "a number", alert: { level: 3 }, is: holds },
  { name: "none", alert: { title: "no" }, is: "not observed" },
  { name: "no object", alert: ["fatal"], is: "not observed" },
  { name: "another level beside a listed one", alert: { severity: "high", level: "error" }, is: holds },
  { name: "another level beside one of its message", alert: { severity: "high", text: { level: "error" } }, is: holds },
  { name: "another level", alert: { level: "fatal" }, is: "broken 1 times, 1 observed" },
  { name: "another severity", alert: { severity: "Critical" }, is: "broken 1 times, 1 observed" },
])("an alert with $name: $is", ({ alert, is }) => {
  expect(shortly(id, { body: wireEvent("alert", alert) + doneEvent })).toBe(is);
});

test("the level is shown", () => {
  expect(saidOfStream(id, { body: wireEvent("alert", { level: "fatal" }) + doneEvent }).violations).toMatchObject([
    { pointer: "/level", message: "the level of an alert is `fatal`, not info, warning or error" },
  ]);
});
