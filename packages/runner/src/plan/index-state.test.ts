import { describe, expect, test } from "vitest";
import { recorded } from "../testing/recorded.ts";
import { readIndexState } from "./index-state.ts";

const event = (name: string, value: unknown): string => `event: ${name}\ndata: ${JSON.stringify(value)}\n\n`;
const match = (repository: unknown, path: unknown, commit?: unknown): object => ({
  type: "content",
  repository,
  path,
  commit,
});
const state = (...events: readonly string[]) => readIndexState(recorded({ body: events.join("") }));
const progress = (reason: string): string => event("progress", { done: true, skipped: [{ reason }] });

describe("the index state shown by an answer", () => {
  test("has the commit of each repository whose content matches name exactly one", () => {
    const matches = [match("a", "f", "1"), match("a", "g", "1"), match("b", "f", "1"), match("b", "g", "2")];
    expect([...(state(event("matches", matches))?.commits ?? [])]).toEqual([["a", "1"]]);
    expect(state(event("matches", [match(7, "f", "1"), match("a", "f", 1), null, "text"]))?.commits.size).toBe(0);
    expect(state(event("matches", [{ ...match("a", "f", "1"), type: "commit" }]))?.commits.size).toBe(0);
  });

  test("depends on the files with matches, not on their order or number of matches", () => {
    const [f, g] = [match("a", "f", "1"), match("a", "g", "1")];
    const files = state(event("matches", [f, g]))?.files;
    expect(state(event("matches", [g]), event("matches", [f, f]))?.files).toBe(files);
    expect(state(event("matches", [f]))?.files).not.toBe(files);
  });

  test.each([
    { name: "a limit that was reached", events: progress("shard-match-limit"), isIncomplete: false },
    { name: "results that were not requested", events: progress("excluded-archive"), isIncomplete: false },
    { name: "a note", events: event("alert", { title: "t", level: "info" }), isIncomplete: false },
    { name: "a search that took too long", events: progress("shard-timeout"), isIncomplete: true },
    { name: "a warning", events: event("alert", { title: "t", level: "warning" }), isIncomplete: true },
    { name: "an error", events: event("error", { message: "m" }), isIncomplete: true },
  ])("is whether it was incomplete: $name, $isIncomplete", ({ events, isIncomplete }) => {
    expect(state(events)?.isIncomplete).toBe(isIncomplete);
  });

  test.each([
    { name: "a whole stream without matches", events: [event("matches", []), event("done", {})], isEmpty: true },
    { name: "a stream that was cut off", events: [event("matches", [])], isEmpty: false },
    { name: "a match of any type", events: [event("matches", [{ type: "path" }]), event("done", {})], isEmpty: false },
  ])("is whether it found nothing: $name, $isEmpty", ({ events, isEmpty }) => {
    expect(state(...events)?.isEmpty).toBe(isEmpty);
  });

  test("is undefined for answers that are not streams or are too long", () => {
    expect(readIndexState(recorded({ status: 503 }))).toBeUndefined();
    expect(readIndexState(recorded({ body: `${event("matches", [])}${" ".repeat(1024 * 1024)}` }))).toBeUndefined();
  });
});
