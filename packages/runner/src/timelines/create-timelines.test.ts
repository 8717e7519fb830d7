import { recordDraft } from "@assay/evidence";
import { stringifyTimelines } from "@assay/results";
import { beforeAll, describe, expect, test } from "vitest";
import { runOnce } from "../converse/testing/driven-run.ts";
import type { RunOnce } from "../converse/testing/driven-run.ts";
import { fixture, goodStream, recorded, unreadable } from "../testing/recorded.ts";
import { resultOf } from "../testing/result-of.ts";
import { bundleOf } from "./testing/bundle-of.ts";
import { createTimelines } from "./create-timelines.ts";

const textOf = (exchanges: readonly ReturnType<typeof recorded>[]): string =>
  stringifyTimelines(createTimelines(bundleOf(exchanges), resultOf(exchanges)));

describe("the timelines of a bundle", () => {
  test("are empty if the bundle is empty", () => {
    expect(createTimelines(bundleOf([]), resultOf([]))).toEqual({
      schemaVersion: 1,
      runId: "run-1",
      streams: [],
      moreStreams: 0,
      conversations: [],
      moreConversations: 0,
      diagrams: [],
      exchanges: [],
      moreExchanges: 0,
    });
  });

  test("are the same bytes for the same evidence in any order", () => {
    const one = recorded({ id: "0001", body: goodStream });
    const other = recorded({ id: "0002", body: fixture("conforms.content-and-path-matches.sse").subarray(0, 900) });
    expect(textOf([one, other])).toBe(textOf([other, one]));
    expect(textOf([one, other])).toContain('"exchange":"0002"');
  });

  test("show the exchanges that violations name", () => {
    const exchanges = [recorded({ id: "0001", body: goodStream }), recorded({ id: "0002", body: "event: done\n\n" })];
    const timelines = createTimelines(bundleOf(exchanges), resultOf(exchanges));
    expect(timelines.exchanges.map(({ exchange }) => exchange)).toEqual(["0002"]);
  });

  test("exist even if bodies are missing", () => {
    const exchanges = [unreadable({ body: goodStream }, "the body was pruned")];
    expect(createTimelines(bundleOf(exchanges), resultOf(exchanges)).streams).toMatchObject([
      { failure: "the body was pruned", lanes: [] },
    ]);
  });
});

describe("a run of every probe about conversations against a conforming server", () => {
  let run: RunOnce;

  beforeAll(async () => {
    run = await runOnce();
  });

  test("shows conversations of both interfaces and only allowed steps", () => {
    const exchanges = run.drafts.map((draft) => recordDraft(draft));
    const { conversations, diagrams } = createTimelines(bundleOf(exchanges), resultOf(exchanges));
    expect(diagrams.map((diagram) => diagram.interface)).toEqual(["legacy", "current"]);
    const edges = diagrams.flatMap((diagram) => diagram.edges);
    expect(edges.filter(({ standing }) => standing === "not-allowed")).toEqual([]);
    expect(edges.filter(({ standing, seen }) => standing === "allowed" && seen > 0).length).toBeGreaterThan(1);
    const both = conversations.filter(({ lanes }) => new Set(lanes.map((lane) => lane.interface)).size === 2);
    expect(both.length).toBeGreaterThan(0);
  });
});
