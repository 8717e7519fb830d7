import { expect, test } from "vitest";
import { isInformational } from "./alert-level.ts";

test.each<{ name: string; alert: unknown; is: boolean }>([
  { name: "a level info", alert: { title: "a note", level: "info" }, is: true },
  { name: "a severity in another spelling", alert: { severity: " INFO " }, is: true },
  { name: "messages that have it", alert: { message: { level: "informational", text: "a note" } }, is: true },
  { name: "a level warning", alert: { level: "warning" }, is: false },
  { name: "a level error", alert: { level: "ERROR" }, is: false },
  { name: "one of each", alert: { level: "info", message: { level: "warn" } }, is: false },
  { name: "no level", alert: { title: "info about nothing" }, is: false },
  { name: "no members", alert: {}, is: false },
  { name: "no object", alert: "info", is: false },
])("an alert with $name only informs: $is", ({ alert, is }) => {
  expect(isInformational(alert)).toBe(is);
});
