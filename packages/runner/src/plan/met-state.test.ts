import { describe, expect, test } from "vitest";
import { recorded } from "../testing/recorded.ts";
import { metState } from "./met-state.ts";

const event = (name: string, value: unknown): string => `event: ${name}\ndata: ${JSON.stringify(value)}\n\n`;
const match = (repository: unknown, path: unknown, commit?: unknown): object => ({
  type: "content",
  repository,
  path,
  commit,
});
const met = (...events: readonly string[]) => metState(recorded({ body: events.join("") }));
const progress = (reason: string): string => event("progress", { done: true, skipped: [{ reason }] });

describe("what an answer tells of the state of the index", () => {
  test("is the one commit of each repository that content matches name", () => {
    const matches = [match("a", "f", "1"), match("a", "g", "1"), match("b", "f", "1"), match("b", "g", "2")];
    expect([...(met(event("matches", matches))?.commits ?? [])]).toEqual([["a", "1"]]);
    expect(met(event("matches", [match(7, "f", "1"), match("a", "f", 1), null, "text"]))?.commits.size).toBe(0);
    expect(met(event("matches", [{ ...match("a", "f", "1"), type: "commit" }]))?.commits.size).toBe(0);
  });

  test("is in which files something was found, however often and in which order", () => {
    const [f, g] = [match("a", "f", "1"), match("a", "g", "1")];
    const files = met(event("matches", [f, g]))?.files;
    expect(met(event("matches", [g]), event("matches", [f, f]))?.files).toBe(files);
    expect(met(event("matches", [f]))?.files).not.toBe(files);
  });

  test.each([
    { name: "a limit that was met", events: progress("shard-match-limit"), isIncomplete: false },
    { name: "what was not asked for", events: progress("excluded-archive"), isIncomplete: false },
    { name: "a note", events: event("alert", { title: "t", level: "info" }), isIncomplete: false },
    { name: "a search that took too long", events: progress("shard-timeout"), isIncomplete: true },
    { name: "a warning", events: event("alert", { title: "t", level: "warning" }), isIncomplete: true },
    { name: "an error", events: event("error", { message: "m" }), isIncomplete: true },
  ])("is whether it was incomplete: $name, $isIncomplete", ({ events, isIncomplete }) => {
    expect(met(events)?.isIncomplete).toBe(isIncomplete);
  });

  test.each([
    { name: "a whole stream without matches", events: [event("matches", []), event("done", {})], isEmpty: true },
    { name: "a stream that broke off", events: [event("matches", [])], isEmpty: false },
    { name: "a match of any type", events: [event("matches", [{ type: "path" }]), event("done", {})], isEmpty: false },
  ])("is whether it found nothing: $name, $isEmpty", ({ events, isEmpty }) => {
    expect(met(...events)?.isEmpty).toBe(isEmpty);
  });

  test("is nothing of what is no stream, and of what is longer than is read", () => {
    expect(metState(recorded({ status: 503 }))).toBeUndefined();
    expect(metState(recorded({ body: `${event("matches", [])}${" ".repeat(1024 * 1024)}` }))).toBeUndefined();
  });
});
