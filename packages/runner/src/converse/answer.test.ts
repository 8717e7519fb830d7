import { Buffer } from "node:buffer";
import { describe, expect, test } from "vitest";
import { retryWaitMs } from "./retry-wait.ts";
import { type AnswerSketch, answerTo } from "./testing/answer-to.ts";

describe("an answer", () => {
  test.each([
    { status: 200, kind: "success" },
    { status: 202, kind: "success" },
    { status: 302, kind: "not-api" },
    { status: 101, kind: "not-api" },
    { status: 400, kind: "refused" },
    { status: 404, kind: "refused" },
    { status: 429, kind: "server-failure" },
    { status: 503, kind: "server-failure" },
    { status: 0, kind: "broken" },
  ])("with status $status is $kind", ({ status, kind }) => {
    expect(answerTo({ status })).toMatchObject({ status, kind });
  });

  test("with a login page is not a success, whatever its status", () => {
    const page = "<!doctype html><title>Sign in</title>";
    expect([answerTo({ body: page }).kind, answerTo({ status: 401, body: page }).kind]).toEqual(["not-api", "refused"]);
  });

  test.each([
    { name: "JSON", body: '{"a":[1]}', json: { a: [1] } },
    { name: "invalid JSON", body: "<p>", json: undefined },
    { name: "nothing", body: "", json: undefined },
    { name: "bytes that are not text", body: Uint8Array.of(0xff, 0xfe), json: undefined },
    { name: "more bytes than are read", body: Buffer.alloc(16 * 1024 * 1024 + 1, " "), json: undefined },
    { name: "JSON that nests deeper than rules read", body: "[".repeat(257) + "]".repeat(257), json: undefined },
    { name: "JSON of great depth", body: "[".repeat(100_000) + "]".repeat(100_000), json: undefined },
    { name: "JSON of great depth that is cut off", body: "[".repeat(1_000_000), json: undefined },
  ])("with $name in it is read without failing", ({ body, json }) => {
    expect(answerTo({ body }).json).toEqual(json);
  });
});

const nowMs = Date.parse("2026-03-01T12:00:00Z");
const retryAfter = (value: string): AnswerSketch => ({ headers: [["Retry-After", value]] });

describe("the wait that an answer asks for", () => {
  test.each<{ name: string; sketch: AnswerSketch; waitMs: number }>([
    { name: "nothing", sketch: {}, waitMs: 0 },
    { name: "seconds", sketch: retryAfter("7"), waitMs: 7000 },
    { name: "a date", sketch: retryAfter("Sun, 01 Mar 2026 12:00:09 GMT"), waitMs: 9000 },
    { name: "a date in the past", sketch: retryAfter("Sun, 01 Mar 2020 12:00:09 GMT"), waitMs: 0 },
    { name: "a negative number", sketch: retryAfter("-5"), waitMs: 0 },
    { name: "garbage", sketch: retryAfter("soon"), waitMs: 0 },
    { name: "an empty value", sketch: retryAfter(""), waitMs: 0 },
    { name: "ten years", sketch: retryAfter("315360000"), waitMs: 315_360_000_000 },
    {
      name: "a time to retry in a state",
      sketch: { body: { state: { error: { code: "x", retry_time: "2026-03-01T12:00:03Z" } } } },
      waitMs: 3000,
    },
    {
      name: "the other spelling",
      sketch: { body: { state: { processing: { retryTime: "2026-03-01T12:00:04.500Z" } } } },
      waitMs: 4500,
    },
    {
      name: "one in an error body",
      sketch: { status: 429, body: { retry_time: "2026-03-01T12:00:02Z" } },
      waitMs: 2000,
    },
    {
      name: "one in the error of the last question",
      sketch: { body: { questions: [{}, { error: { retry_time: "2026-03-01T12:00:01Z" } }] } },
      waitMs: 1000,
    },
    {
      name: "two, of which the longer counts",
      sketch: { ...retryAfter("1"), body: { retry_time: "2026-03-01T12:00:06Z" } },
      waitMs: 6000,
    },
    {
      name: "an invalid time",
      sketch: { body: { retry_time: 5, state: "x", questions: 7, error: null } },
      waitMs: 0,
    },
  ])("by $name", ({ sketch, waitMs }) => {
    expect(retryWaitMs(answerTo(sketch), nowMs)).toBe(waitMs);
  });
});
