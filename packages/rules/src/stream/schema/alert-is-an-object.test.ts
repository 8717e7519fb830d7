import { expect, test } from "vitest";
import { doneEvent, streamReport, wireEvent } from "../../testing/stream-report.ts";

const id = "stream/alert-is-an-object";
const alerts = (...data: readonly unknown[]): string =>
  data.map((value) => wireEvent("alert", value)).join("") + doneEvent;

test.each([
  { name: "in `level`", alert: { level: "error" }, message: "the level of an alert is in `level`: `error`" },
  { name: "in `severity`", alert: { severity: "warn" }, message: "the level of an alert is in `severity`: `warn`" },
  {
    name: "in both",
    alert: { severity: 2, level: "info" },
    message: "the level of an alert is in `level`: `info` and `severity`: `2`",
  },
  { name: "nowhere", alert: { title: "no" }, message: "alerts have no field for their level" },
  {
    name: "in a very long value",
    alert: { level: "x".repeat(500) },
    message: /^the level of an alert is in `level`: `x{80}…`$/u,
  },
  {
    name: "in a member of another object",
    alert: { inner: { level: "error" } },
    message: "alerts have no field for their level",
  },
])("an alert may have its level $name", ({ alert, message }) => {
  const { violations, notes } = streamReport(id, { body: alerts(alert) });
  expect(violations).toEqual([]);
  expect(notes).toMatchObject([
    { code: "alert-level", event: 0, pointer: "", message: expect.stringMatching(message) },
  ]);
});

test("the level is noted once per stream, for the first alert that is an object", () => {
  const { observations, violations, notes } = streamReport(id, {
    body: alerts([], { level: "error" }, { level: "info" }),
  });
  expect(observations).toBe(3);
  expect(violations).toMatchObject([{ event: 0, pointer: "", message: "the data of `alert` is not an object" }]);
  expect(notes).toMatchObject([{ event: 1, message: expect.stringContaining("`error`") }]);
});

test("nothing is said of an alert that is not JSON", () => {
  const said = streamReport(id, { body: `event: alert\ndata: {level\n\n${doneEvent}` });
  expect(said).toEqual({ observations: 0, violations: [], notes: [] });
});
