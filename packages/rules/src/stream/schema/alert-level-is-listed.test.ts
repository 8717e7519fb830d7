import { expect, test } from "vitest";
import { doneEvent, streamReport, summarizeReport, wireEvent } from "../../testing/stream-report.ts";

const id = "stream/alert-level-is-listed";
const holds = "holds, 1 observed";
const broken = "broken 1 times, 1 observed";

test.each<{ name: string; alert: unknown; is: string }>([
  { name: "a listed level", alert: { level: "error" }, is: holds },
  { name: "a listed severity", alert: { severity: "warning" }, is: holds },
  { name: "a listed level under another name", alert: { type: "info", title: "a note" }, is: holds },
  { name: "a message that has the level", alert: { message: { level: "error", text: "no" } }, is: holds },
  { name: "several messages that have levels", alert: { messages: [{ text: "a" }, { level: "info" }] }, is: holds },
  { name: "another level beside a listed one", alert: { severity: "high", level: "error" }, is: holds },
  { name: "another level beside one of its message", alert: { severity: "high", text: { level: "error" } }, is: holds },
  { name: "no object", alert: ["fatal"], is: "not observed" },
  { name: "no level", alert: { title: "no" }, is: broken },
  { name: "no members", alert: {}, is: broken },
  { name: "a level in a sentence alone", alert: { title: "an error came" }, is: broken },
  { name: "a level null", alert: { level: null }, is: broken },
  { name: "a level that is a number", alert: { level: 3 }, is: broken },
  { name: "a level that is an object", alert: { level: { code: 3 } }, is: broken },
  { name: "a level with a capital", alert: { level: "Warning" }, is: broken },
  { name: "a level in capitals", alert: { level: "ERROR" }, is: broken },
  { name: "a level with a space", alert: { level: "info " }, is: broken },
  { name: "an abbreviated level", alert: { severity: "warn" }, is: broken },
  { name: "another level", alert: { level: "fatal" }, is: broken },
  { name: "another level next to a listed word", alert: { level: "WARNING", title: "error" }, is: broken },
  { name: "a level null next to a listed word", alert: { level: null, title: "error" }, is: broken },
  { name: "a number for a level next to a listed word", alert: { level: 5, kind: "error" }, is: broken },
  { name: "an object for a level next to a listed word", alert: { level: { code: 3 }, kind: "error" }, is: broken },
  { name: "another level under `Level`", alert: { Level: 3, kind: "error" }, is: broken },
  {
    name: "messages of which one has another level",
    alert: { alerts: [{ level: "error" }, { level: "fatal" }] },
    is: broken,
  },
  { name: "a message with another level", alert: { level: "error", messages: [{ level: "fatal" }] }, is: broken },
  {
    name: "another level of a message next to a severity",
    alert: { severity: "error", text: { level: 3 } },
    is: broken,
  },
  {
    name: "messages that all have listed levels",
    alert: { alerts: [{ level: "error" }, { level: "info" }] },
    is: holds,
  },
  { name: "an inner number next to a listed level", alert: { level: "error", proposed: [{ level: 3 }] }, is: holds },
  { name: "a listed level under `Level`", alert: { Level: "error", title: "fatal" }, is: holds },
  { name: "a listed level in an object", alert: { level: { name: "error", code: 3 } }, is: holds },
  { name: "another severity next to a listed kind", alert: { severity: "high", kind: "error" }, is: holds },
  { name: "a number named otherwise next to a listed level", alert: { level: "error", logLevel: 5 }, is: holds },
  { name: "another severity of a message", alert: { messages: [{ severity: "Critical" }] }, is: broken },
])("an alert with $name: $is", ({ alert, is }) => {
  expect(summarizeReport(id, { body: wireEvent("alert", alert) + doneEvent })).toBe(is);
});

test.each<{ alert: unknown; pointer: string; code: string; argument?: string; message: string }>([
  {
    alert: { level: "fatal" },
    pointer: "/level",
    code: "unlisted",
    argument: "fatal",
    message: "the level of an alert is `fatal`, not info, warning or error",
  },
  {
    alert: { title: "no", severity: null },
    pointer: "/severity",
    code: "unlisted",
    argument: "null",
    message: "the severity of an alert is `null`, not info, warning or error",
  },
  {
    alert: { messages: [{ level: "WARNING" }] },
    pointer: "",
    code: "unlisted",
    argument: "WARNING",
    message: "the level of an alert is `WARNING`, not info, warning or error",
  },
  {
    alert: { kind: "Error" },
    pointer: "",
    code: "unlisted",
    argument: "Error",
    message: "the level of an alert is `Error`, not info, warning or error",
  },
  {
    alert: { title: "no" },
    pointer: "",
    code: "no-level",
    message: "an alert has no level: nothing in it is info, warning or error",
  },
])("what is wrong about the level is shown: $message", ({ alert, ...finding }) => {
  expect(streamReport(id, { body: wireEvent("alert", alert) + doneEvent }).violations).toMatchObject([finding]);
});
