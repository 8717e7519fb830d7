import { describe, expect, test } from "vitest";
import { recorded, unreadable, webPage } from "../testing/recorded.ts";
import { findAnswerGroup } from "./answer-group.ts";

describe("the kind of an answer", () => {
  test.each([
    { name: "no response", sketch: { status: 0 }, kind: "nothing" },
    { name: "bytes with status 200", sketch: { body: "event: done\ndata: {}\n\n" }, kind: "stream" },
    { name: "no byte with status 200", sketch: { body: "" }, kind: "stream" },
    { name: "status 206", sketch: { status: 206, body: "event: done" }, kind: "stream" },
    { name: "a page with status 200", sketch: { body: webPage }, kind: "web-page" },
    { name: "a page in capitals", sketch: { body: "<HTML><BODY>" }, kind: "web-page" },
    { name: "a page behind spaces and a mark", sketch: { body: "\uFEFF \r\n<head>" }, kind: "web-page" },
    { name: "a page that begins with a comment", sketch: { body: "<!-- proxy -->\n<html>" }, kind: "web-page" },
    { name: "a page of XML", sketch: { body: '<?xml version="1.0"?><html/>' }, kind: "web-page" },
    {
      name: "a page in pieces of one byte",
      sketch: { body: Array.from(webPage, (character) => Buffer.from(character)) },
      kind: "web-page",
    },
    { name: "a script", sketch: { body: "<script>location='/login'</script>" }, kind: "web-page" },
    { name: "a JSON error", sketch: { body: '{"error":"unauthorized"}' }, kind: "other-content" },
    { name: "plain text", sketch: { body: "Private mode requires authentication.\n" }, kind: "other-content" },
    { name: "a stream that begins with a comment", sketch: { body: ": ping\n\n" }, kind: "stream" },
    { name: "a stream behind a mark", sketch: { body: "\uFEFFevent: done\n" }, kind: "stream" },
    { name: "a stream whose data comes first", sketch: { body: "data: {}\nevent: done\n\n" }, kind: "stream" },
    { name: "a stream with a strange first field", sketch: { body: "Event : done\ndata: {}\n\n" }, kind: "stream" },
    { name: "a page inside the data of an event", sketch: { body: `data: ${webPage}` }, kind: "stream" },
    {
      name: "a stream called HTML",
      sketch: { headers: [["content-type", "text/html"]], body: "event: a" },
      kind: "stream",
    },
    { name: "status 301", sketch: { status: 301 }, kind: "redirect" },
    { name: "status 304", sketch: { status: 304 }, kind: "redirect" },
    { name: "status 400", sketch: { status: 400 }, kind: "status" },
    { name: "status 401", sketch: { status: 401, body: webPage }, kind: "refusal" },
    { name: "status 403", sketch: { status: 403 }, kind: "refusal" },
    { name: "status 404", sketch: { status: 404 }, kind: "status" },
    { name: "status 429", sketch: { status: 429 }, kind: "distress" },
    { name: "status 500", sketch: { status: 500 }, kind: "distress" },
    { name: "status 503", sketch: { status: 503 }, kind: "distress" },
    { name: "status 101", sketch: { status: 101 }, kind: "status" },
  ] as const)("is $kind for $name", ({ sketch, kind }) => {
    expect(findAnswerGroup(recorded(sketch))).toBe(kind);
  });

  test("is that of its status when the body is gone", () => {
    expect(findAnswerGroup(unreadable({}, "pruned"))).toBe("stream");
    expect(findAnswerGroup(unreadable({ status: 401 }, "pruned"))).toBe("refusal");
  });
});
