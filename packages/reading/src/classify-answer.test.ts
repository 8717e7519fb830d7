import { readFileSync } from "node:fs";
import { Buffer } from "node:buffer";
import { describe, expect, test } from "vitest";
import {
  type AnswerKind,
  beginningLength,
  bodyBeginning,
  callGroup,
  classifyAnswer,
  classifyStatus,
  isBusy,
  isServiceDown,
} from "./classify-answer.ts";

interface AnswerCase {
  readonly name: string;
  readonly status: number;
  readonly contentType: string;
  readonly beginning: string;
  readonly kind: AnswerKind;
}

/** The k6 stream reader, which is written in Go, is tested on the same cases. */
const cases: readonly AnswerCase[] = JSON.parse(
  readFileSync(new URL("../fixtures/answer-kinds.json", import.meta.url), "utf8"),
);

describe("a response", () => {
  test.each(cases)("is of the kind $kind: $name", ({ status, contentType, beginning, kind }) => {
    expect(classifyAnswer(status, [["Content-Type", contentType]], beginning)).toBe(kind);
  });

  test.each<Omit<AnswerCase, "name">>([
    { status: 0, contentType: "", beginning: "", kind: "no-response" },
    { status: 206, contentType: "", beginning: "event: done", kind: "events" },
    { status: 204, contentType: "text/html", beginning: "", kind: "empty" },
    { status: 200, contentType: "text/html; charset=utf-8", beginning: "please sign in", kind: "web-page" },
    { status: 200, contentType: "application/xhtml+xml", beginning: "please sign in", kind: "web-page" },
    { status: 200, contentType: "text/html", beginning: "<div>\ndata: 1\n\n", kind: "web-page" },
    { status: 200, contentType: "text/plain", beginning: "<html>\nevent: done\ndata: {}\n\n", kind: "web-page" },
    { status: 200, contentType: "text/event-stream", beginning: "Event : done\n", kind: "events" },
  ])("with status $status, type $contentType and body $beginning is of the kind $kind", (row) => {
    expect(classifyAnswer(row.status, [["content-type", row.contentType]], row.beginning)).toBe(row.kind);
  });

  test("without headers is classified by its bytes", () => {
    expect([classifyAnswer(200, [], "{}"), classifyAnswer(undefined, [], "{}")]).toEqual(["json", "no-response"]);
  });

  test("is never a success if it is a web page", () => {
    const pages = cases.filter(({ kind }) => kind === "web-page");
    expect(new Set(pages.map(({ kind }) => callGroup(kind)))).toEqual(new Set(["not-api"]));
  });
});

test.each([
  { statuses: [200, 201, 299], group: "success" },
  { statuses: [100, 199, 300, 399], group: "not-api" },
  { statuses: [400, 401, 404, 407, 428, 430, 499], group: "refused" },
  { statuses: [429, 500, 501, 502, 503, 504, 599, 600], group: "server-failure" },
  { statuses: [0], group: "no-response" },
])("a call with a status of $statuses is $group", ({ statuses, group }) => {
  expect(new Set(statuses.map((status) => callGroup(classifyStatus(status))))).toEqual(new Set([group]));
});

test("429 and 503 mean busy; 502, 503 and 504 mean that the service is down", () => {
  const statuses = [200, 404, 429, 500, 501, 502, 503, 504];
  expect(statuses.filter((status) => isBusy(status))).toEqual([429, 503]);
  expect(statuses.filter((status) => isServiceDown(status))).toEqual([502, 503, 504]);
});

describe("the beginning of a body", () => {
  const chunks = (...texts: readonly string[]) => texts.map((text) => ({ bytes: Buffer.from(text) }));

  test("is built from chunks", () => {
    expect(bodyBeginning(chunks("<!doc", "type ", "html>"))).toBe("<!doctype html>");
    expect(bodyBeginning([])).toBe("");
  });

  test("is read only as far as necessary", () => {
    function* endless() {
      yield* chunks("x".repeat(beginningLength - 1), "yz");
      throw new Error("more was read");
    }
    expect(bodyBeginning(endless())).toHaveLength(beginningLength + 1);
  });
});
