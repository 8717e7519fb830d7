import { defined } from "@assay/contract";
import type { Finding, RuleId } from "@assay/contract";
import { describe, expect, test } from "vitest";
import { allRules } from "../all-rules.ts";
import { committedStreams } from "../testing/committed-streams.ts";
import { doneEvent, streamReport, wireEvent } from "../testing/stream-report.ts";

const matches = (...elements: readonly unknown[]): string => wireEvent("matches", elements);
const progress = (value: object): string => wireEvent("progress", { skipped: [], ...value });
const final = progress({ done: true, matchCount: 1, durationMs: 1, repositoriesCount: 1 });
const content = { type: "content", path: "a", repositoryID: 1, repository: "r", hunks: null };

interface Shown {
  readonly event: number | undefined;
  readonly pointer?: string | undefined;
  readonly message: string;
  readonly code?: string | undefined;
  /** The text of the stream that the finding points to. */
  readonly text: string;
}

const shown =
  (body: string) =>
  ({ event, pointer, message, code, offset = 0, length = 0 }: Finding): Shown => ({
    event,
    message,
    ...defined({ pointer, code }),
    text: Buffer.from(body)
      .subarray(offset, offset + length)
      .toString(),
  });

/** All that one rule says of one stream. */
function said(id: RuleId, body: string) {
  const { observations, violations, notes } = streamReport(id, { body });
  return { observations, violations: violations.map(shown(body)), notes: notes.map(shown(body)) };
}

interface Row {
  readonly name: string;
  readonly rule: RuleId;
  readonly body: string;
  readonly observations: number;
  readonly violations?: readonly Shown[];
  readonly notes?: readonly Shown[];
}

/** Streams that rules pass and streams that they fail. A new rule has a row of either sort, or a committed stream. */
/** Two lines of a file, with these numbers. */
const numbered = (one: number, other: number): readonly object[] => [
  { line: "first", lineNumber: one },
  { line: "second", lineNumber: other },
];

const rows: readonly Row[] = [
  {
    name: "matches that are not an array",
    rule: "stream/matches-is-an-array",
    body: matches() + wireEvent("matches", { type: "path" }) + wireEvent("matches", "text") + doneEvent,
    observations: 3,
    violations: [
      { event: 1, pointer: "", message: "the data of `matches` is an object, not an array", text: '{"type":"path"}' },
      { event: 2, pointer: "", message: "the data of `matches` is text, not an array", text: '"text"' },
    ],
  },
  {
    name: "elements of matches that are no objects, or have no type",
    rule: "stream/matches-is-an-array",
    body: matches({ type: "path" }, 1, { type: 2 }) + doneEvent,
    observations: 1,
    violations: [
      {
        event: 0,
        pointer: "/1",
        message: "an element of `matches` is not an object",
        text: '[{"type":"path"},1,{"type":2}]',
      },
      { event: 0, pointer: "/2", message: "a match has no string `type`", text: '[{"type":"path"},1,{"type":2}]' },
    ],
  },
  {
    name: "matches that are not JSON",
    rule: "stream/matches-is-an-array",
    body: `event: matches\ndata: [\n\n${doneEvent}`,
    observations: 0,
  },
  {
    name: "a type that is not listed",
    rule: "stream/match-type-is-listed",
    body: matches({ type: "path" }, { type: 1 }, { type: "person" }) + doneEvent,
    observations: 2,
    violations: [
      {
        event: 0,
        pointer: "/2/type",
        message: "a match has the type `person`",
        text: '[{"type":"path"},{"type":1},{"type":"person"}]',
      },
    ],
  },
  {
    name: "a content match that does not fit its schema",
    rule: "stream/content-match-fits-schema",
    body: matches({ type: "path" }, content, { ...content, repository: 1 }, content) + doneEvent,
    observations: 3,
    violations: [
      {
        event: 0,
        pointer: "/2/repository",
        message: "content match: must be string",
        text: JSON.stringify([{ type: "path" }, content, { ...content, repository: 1 }, content]),
      },
    ],
  },
  {
    name: "filters that do not fit their schema",
    rule: "stream/filters-fit-schema",
    body: wireEvent("filters", []) + wireEvent("filters", {}) + doneEvent,
    observations: 2,
    violations: [{ event: 1, pointer: "", message: "filters: must be array", text: "{}" }],
  },
  {
    name: "filters that are not JSON",
    rule: "stream/filters-fit-schema",
    body: `event: filters\ndata: [\n\n${doneEvent}`,
    observations: 0,
  },
  {
    name: "a progress that does not fit its schema, but nothing of its skipped entries",
    rule: "stream/progress-fits-schema",
    body: progress({ done: true, matchCount: "1", durationMs: 1, skipped: [{ reason: 1 }] }) + doneEvent,
    observations: 1,
    violations: [
      {
        event: 0,
        pointer: "/matchCount",
        message: "progress: must be integer",
        text: '{"skipped":[{"reason":1}],"done":true,"matchCount":"1","durationMs":1}',
      },
    ],
  },
  {
    name: "a progress that is not JSON",
    rule: "stream/progress-fits-schema",
    body: `event: progress\ndata: {\n\n${doneEvent}`,
    observations: 0,
  },
  {
    name: "a skipped entry that does not fit its schema",
    rule: "stream/skipped-fits-schema",
    body: wireEvent("progress", {
      skipped: [
        { reason: "a", title: "", message: "", severity: "info" },
        { reason: "a", title: 1, message: "", severity: "info" },
      ],
    }),
    observations: 2,
    violations: [
      {
        event: 0,
        pointer: "/skipped/1/title",
        message: "skipped entry: must be string",
        text: '{"skipped":[{"reason":"a","title":"","message":"","severity":"info"},{"reason":"a","title":1,"message":"","severity":"info"}]}',
      },
    ],
  },
  {
    name: "a done without a final progress",
    rule: "stream/final-progress-before-done",
    body: matches() + doneEvent,
    observations: 1,
    violations: [{ event: 1, message: "`done` arrived before a `progress` event with `done: true`", text: "{}" }],
  },
  {
    name: "a final progress that counts no repositories though something was found",
    rule: "stream/final-progress-counts-repositories",
    body: matches({ type: "path" }) + wireEvent("progress", { done: true, repositoriesCount: null }) + doneEvent,
    observations: 1,
    violations: [
      {
        event: 1,
        pointer: "",
        message: "the final progress has no `repositoriesCount`",
        text: '{"done":true,"repositoriesCount":null}',
      },
    ],
  },
  {
    name: "a final progress that counts no repositories though it counts matches",
    rule: "stream/final-progress-counts-repositories",
    body: matches() + wireEvent("progress", { done: true, matchCount: 1 }) + doneEvent,
    observations: 1,
    violations: [
      {
        event: 1,
        pointer: "",
        message: "the final progress has no `repositoriesCount`",
        text: '{"done":true,"matchCount":1}',
      },
    ],
  },
  ...[{ done: true }, { done: true, matchCount: 0 }, { done: true, matchCount: "1" }].map((value) => ({
    name: `a final progress that counts no repositories where nothing is known to match: ${JSON.stringify(value)}`,
    rule: "stream/final-progress-counts-repositories" as const,
    body: matches() + wireEvent("matches", "path") + wireEvent("progress", value) + doneEvent,
    observations: 1,
    violations: [
      {
        event: 2,
        pointer: "",
        message: "the final progress of a search without matches has no `repositoriesCount`",
        code: "left-out-at-zero",
        text: JSON.stringify(value),
      },
    ],
  })),
  ...[3, 90].map((offset) => ({
    name: `a path of four bytes that matches up to ${offset}`,
    rule: "stream/path-ranges-stay-in-the-path" as const,
    body:
      wireEvent("matches", [
        { type: "content", path: "a.ts", pathMatches: [{ start: { offset: 0 }, end: { offset } }] },
      ]) + doneEvent,
    observations: 1,
    ...(offset < 5
      ? {}
      : {
          violations: [
            {
              event: 0,
              pointer: "/0/pathMatches/0",
              message: "the range of the path from 0 to 90 ends beyond its path, which has 4 bytes",
              text: '[{"type":"content","path":"a.ts","pathMatches":[{"start":{"offset":0},"end":{"offset":90}}]}]',
            },
          ],
        }),
  })),
  {
    name: "the first final progress alone where repositories should be counted",
    rule: "stream/final-progress-counts-repositories",
    body: wireEvent("progress", { done: false }) + final + wireEvent("progress", { done: true }) + doneEvent,
    observations: 1,
  },
  {
    name: "final progress that comes twice",
    rule: "stream/one-final-progress",
    body: wireEvent("progress", { done: false }) + final + wireEvent("progress", { done: true }) + doneEvent,
    observations: 1,
    violations: [
      { event: 2, pointer: "/done", message: "more than one `progress` event has `done: true`", text: '{"done":true}' },
    ],
  },
  {
    name: "a search that goes on after its end",
    rule: "stream/progress-stays-final",
    body: ["false", "true", "true", "null", "false"]
      .map((done) => `event: progress\ndata: {"done":${done}}\n\n`)
      .join(""),
    observations: 1,
    violations: [
      {
        event: 4,
        pointer: "/done",
        message: "a `progress` event has `done: false` after one with `done: true`",
        text: '{"done":false}',
      },
    ],
  },
  {
    name: "results after the final progress",
    rule: "stream/results-precede-final-progress",
    body:
      matches() + wireEvent("progress", { done: false }) + matches() + final + wireEvent("filters", []) + matches(1),
    observations: 4,
    violations: [
      { event: 4, message: "`filters` arrived after the final progress", text: "[]" },
      { event: 5, message: "`matches` arrived after the final progress", text: "[1]" },
    ],
  },
  {
    name: "a count that falls",
    rule: "stream/match-count-never-falls",
    body: [3, "4", 3, 2, 3, 2].map((matchCount) => wireEvent("progress", { matchCount })).join(""),
    observations: 4,
    violations: [
      { event: 3, pointer: "/matchCount", message: "`matchCount` fell from 3 to 2", text: '{"matchCount":2}' },
      { event: 5, pointer: "/matchCount", message: "`matchCount` fell from 3 to 2", text: '{"matchCount":2}' },
    ],
  },
  {
    name: "a time that falls",
    rule: "stream/duration-never-falls",
    body: [1, 5, 4].map((durationMs) => wireEvent("progress", { durationMs })).join(""),
    observations: 2,
    violations: [
      { event: 2, pointer: "/durationMs", message: "`durationMs` fell from 5 to 4", text: '{"durationMs":4}' },
    ],
  },
  {
    name: "a new kind of filter, once",
    rule: "stream/filter-kind-is-known",
    body: wireEvent("filters", [{ kind: "lang" }, { kind: "new" }, {}]) + wireEvent("filters", [{ kind: "new" }]),
    observations: 3,
    notes: [
      {
        event: 0,
        pointer: "/1/kind",
        message: "new kind of filter: `new`",
        text: '[{"kind":"lang"},{"kind":"new"},{}]',
      },
    ],
  },
  {
    name: "no kind of filters that are not an array",
    rule: "stream/filter-kind-is-known",
    body: wireEvent("filters", { kind: "new" }) + doneEvent,
    observations: 0,
  },
  {
    name: "a new reason of a skipped entry",
    rule: "stream/skipped-reason-is-known",
    body: wireEvent("progress", { skipped: [{ reason: "shard-match-limit" }, { reason: "new" }] }),
    observations: 2,
    notes: [
      {
        event: 0,
        pointer: "/skipped/1/reason",
        message: "new reason of a skipped entry: `new`",
        text: '{"skipped":[{"reason":"shard-match-limit"},{"reason":"new"}]}',
      },
    ],
  },
  {
    name: "a new severity of a skipped entry",
    rule: "stream/skipped-severity-is-known",
    body: wireEvent("progress", { skipped: [{ severity: "new" }] }),
    observations: 1,
    notes: [
      {
        event: 0,
        pointer: "/skipped/0/severity",
        message: "new severity of a skipped entry: `new`",
        text: '{"skipped":[{"severity":"new"}]}',
      },
    ],
  },
  {
    name: "a departure from the form, with what was there",
    rule: "stream/two-fields",
    body: `event: alert\ndata: {}\nextra: 1\n\n${doneEvent}`,
    observations: 2,
    violations: [
      {
        event: 0,
        message: "a field other than `event` and `data`: `extra`",
        code: "third-field",
        text: "extra: 1",
      },
    ],
  },
  {
    name: "a departure from the form without a detail",
    rule: "stream/one-blank-line-between-events",
    body: `event: alert\ndata: {}\n\n\n${doneEvent}`,
    observations: 2,
    violations: [{ event: 1, message: "an extra blank line", code: "extra-blank-line", text: "\n" }],
  },
  {
    name: "a permitted choice of the form",
    rule: "stream/two-fields",
    body: `event: ping\ndata: {}\n\n${doneEvent}`,
    observations: 2,
    notes: [
      {
        event: 0,
        message: "an event name that the specification does not list: `ping`",
        code: "unlisted-event-name",
        text: "ping",
      },
    ],
  },
  {
    name: "an alert with a listed level",
    rule: "stream/alert-level-is-listed",
    body: wireEvent("alert", { level: "error" }) + doneEvent,
    observations: 1,
  },
  {
    name: "an alert with another level",
    rule: "stream/alert-level-is-listed",
    body: wireEvent("alert", { level: "fatal" }) + doneEvent,
    observations: 1,
    violations: [
      {
        event: 0,
        pointer: "/level",
        message: "the level of an alert is `fatal`, not info, warning or error",
        text: '{"level":"fatal"}',
      },
    ],
  },
  {
    name: "matches that are not counted",
    rule: "stream/match-count-fits-matches",
    body: matches({ type: "path" }) + progress({ done: true, matchCount: 0 }) + doneEvent,
    observations: 1,
    violations: [
      {
        event: 1,
        pointer: "/matchCount",
        message: "there are matches, but the final progress counts 0",
        text: '{"skipped":[],"done":true,"matchCount":0}',
      },
    ],
  },
  {
    name: "two lines with two numbers",
    rule: "stream/lines-have-their-own-numbers",
    body: wireEvent("matches", [{ type: "content", lineMatches: numbered(7, 8) }]) + doneEvent,
    observations: 1,
  },
  {
    name: "two lines with one number",
    rule: "stream/lines-have-their-own-numbers",
    body: wireEvent("matches", [{ type: "content", lineMatches: numbered(7, 7) }]) + doneEvent,
    observations: 1,
    violations: [
      {
        event: 0,
        pointer: "/0/lineMatches/1/lineNumber",
        message: "two lines of a file have the number 7: `first` and `second`",
        text: JSON.stringify([{ type: "content", lineMatches: numbered(7, 7) }]),
      },
    ],
  },
];

test.each(rows)("$rule: $name", ({ rule, body, observations, violations = [], notes = [] }) => {
  expect(said(rule, body)).toMatchObject({ observations, violations, notes });
});

describe("every rule about one stream", () => {
  const aboutOneStream = allRules
    .filter(({ needs }) => needs === "stream" || needs === "framing")
    .map(({ id }) => ({ id }));
  /** Searches that between them ask for all that a rule about one stream wants to be asked for. */
  const queries = [{ q: "test", display: "1000", cm: "true" }, { q: "test" }];
  /** Rules that a stream breaks only together with what was asked for. */
  const ownTests = new Set<string>([
    "stream/display-bounds-matches",
    "stream/cm-enables-chunk-matches",
    "stream/chunk-matches-need-cm",
    "stream/content-match-shows-lines",
    "stream/line-pairs-stay-in-the-line",
    "stream/line-pairs-mark-the-word",
    "stream/counted-matches-came",
    "stream/repositories-count-fits-matches",
    "stream/repositories-count-covers-matches",
    "stream/filter-count-fits-matches",
  ]);

  test.each(aboutOneStream)("has a stream that it passes: $id", ({ id }) => {
    const streams = committedStreams.filter(({ standing }) => standing === "conforms").map(({ body }) => body);
    const passes = [...streams, ...rows.map(({ body }) => body)].some((body) =>
      queries.some((query) => {
        const { observations, violations } = streamReport(id, { body, query });
        return observations > 0 && violations.length === 0;
      }),
    );
    expect(passes).toBe(true);
  });

  test.each(aboutOneStream.filter(({ id }) => !ownTests.has(id)))("has a stream that it checks: $id", ({ id }) => {
    const committed = committedStreams.filter(({ rule }) => rule === id).map(({ name }) => name);
    const speaking = rows.filter(
      ({ rule, violations = [], notes = [] }) => rule === id && violations.length + notes.length > 0,
    );
    expect([...committed, ...speaking]).not.toEqual([]);
  });
});
