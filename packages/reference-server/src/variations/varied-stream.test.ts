import { beforeAll, describe, expect, test } from "vitest";
import { isPayloadArray, isPayloadObject, type PayloadObject } from "../service/payload.ts";
import type { SearchEvent } from "../service/stream/search-event.ts";
import { variedStream } from "./varied-stream.ts";

const place = { offset: 0, line: 0, column: 0 };

const contentMatch = (index: number): PayloadObject => ({
  type: "content",
  path: `src/日本/${index}.ts`,
  pathMatches: [{ start: place, end: place }],
  repositoryID: 7,
  repository: `r/${index}`,
  branches: [""],
  commit: "0".repeat(40),
  hunks: null,
  lineMatches: [1, 4, 9].map((lineNumber) => ({ line: "äöü 😀 <needle>", lineNumber, offsetAndLengths: [[7, 6]] })),
  language: "TypeScript",
});

const chunkedMatch = (index: number): PayloadObject => ({
  ...contentMatch(index),
  lineMatches: undefined,
  chunkMatches: ["a needle", "one more"].map((content) => ({
    content,
    contentStart: place,
    ranges: [{ start: place, end: place }],
  })),
});

const filter = (index: number): PayloadObject => ({
  value: `lang:${index}`,
  label: `${index}`,
  count: 10 - index,
  exhaustive: false,
  kind: "lang",
});

const progress = (done: boolean, count: number): SearchEvent => ({
  name: "progress",
  data: { done, ...(done ? { repositoriesCount: 2 } : {}), matchCount: count, durationMs: count * 3, skipped: [] },
});

const done: SearchEvent = { name: "done", data: {} };

const limitEntry = {
  reason: "shard-match-limit",
  title: "result limit hit",
  message: "There is more.",
  severity: "info",
  suggested: { title: "increase limit", queryExpression: "count:1000" },
};

const flush = (from: number): readonly SearchEvent[] => [
  { name: "filters", data: [filter(1), filter(2), filter(3)] },
  {
    name: "matches",
    data: [contentMatch(from), chunkedMatch(from + 1), { type: "path", repository: `r/${from + 2}` }],
  },
  progress(false, from + 3),
];

const streams: Readonly<Record<string, readonly SearchEvent[]>> = {
  search: [
    ...[0, 3, 6, 9, 12, 15, 18].flatMap(flush),
    { name: "filters", data: [filter(1)] },
    {
      name: "progress",
      data: {
        done: true,
        repositoriesCount: 2,
        matchCount: 21,
        durationMs: 63,
        skipped: [limitEntry, { ...limitEntry, reason: "excluded-archive" }],
      },
    },
    done,
  ],
  nothing: [
    { name: "progress", data: { done: true, repositoriesCount: 0, matchCount: 0, durationMs: 4, skipped: [] } },
    done,
  ],
  refusal: [{ name: "alert", data: { title: "Unable To Process Query", proposedQueries: null } }, done],
  error: [{ name: "error", data: { message: "no query found" } }, done],
};

const seeds = Array.from({ length: 300 }, (_, seed) => seed);

/** Parses events in any permitted form; throws at anything else. */
const eventsIn = (bytes: Buffer): readonly SearchEvent[] => {
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  expect(text.endsWith("\n\n")).toBe(true);
  expect(text).not.toContain("\r");
  return text
    .slice(0, -2)
    .split("\n\n")
    .map((block) => {
      const lines = block
        .split("\n")
        .toSorted((one, other) => Number(other.startsWith("event:")) - Number(one.startsWith("event:")));
      expect(lines).toHaveLength(2);
      const [, name = "?"] = /^event: ?([\w.-]+)$/u.exec(lines[0] ?? "") ?? [];
      const [, data = "?"] = /^data: ?([^\n]+)$/u.exec(lines[1] ?? "") ?? [];
      return { name, data: JSON.parse(data) as unknown };
    });
};

const objectsIn = (data: unknown): readonly PayloadObject[] =>
  isPayloadArray(data) ? data.filter(isPayloadObject) : [];

const progressOf = (events: readonly SearchEvent[]): readonly PayloadObject[] =>
  events.filter(({ name }) => name === "progress").map(({ data }) => (isPayloadObject(data) ? data : {}));

const matchesOf = (events: readonly SearchEvent[]): readonly PayloadObject[] =>
  events.filter((event) => event.name === "matches").flatMap(({ data }) => objectsIn(data));

/** The results in a match: each line and chunk of a file, or only its type. */
const foundIn = ({ chunkMatches, lineMatches, path, type }: PayloadObject): readonly unknown[] =>
  type === "content"
    ? [
        ...objectsIn(lineMatches).map(({ lineNumber }) => [path, lineNumber]),
        ...objectsIn(chunkMatches).map(({ content, context }) => [path, context ?? content]),
      ]
    : [type];

const filterValuesOf = (events: readonly SearchEvent[]): readonly (readonly unknown[])[] =>
  events.filter((event) => event.name === "filters").map(({ data }) => objectsIn(data).map(({ value }) => value));

const isSorted = (values: readonly unknown[]): boolean =>
  values.every((value, index) => index === 0 || Number(value) >= Number(values[index - 1]));

const read = new Map<string, readonly SearchEvent[]>();
/** The parsed events of a varied stream. */
const varied = (name: string, seed: number): readonly SearchEvent[] => {
  const key = `${name} ${seed}`;
  const events = read.get(key) ?? eventsIn(Buffer.concat(variedStream(streams[name] ?? [], seed)));
  read.set(key, events);
  return events;
};

describe.each(Object.keys(streams))("every variation of %s", (name) => {
  const all: { readonly seed: number; readonly events: readonly SearchEvent[] }[] = [];

  beforeAll(() => {
    all.push(...seeds.map((seed) => ({ seed, events: varied(name, seed) })));
  });

  test.each([
    {
      law: "ends with the only done, and its data is empty",
      holds: (events: readonly SearchEvent[]) =>
        events.findIndex((event) => event.name === "done") === events.length - 1 &&
        JSON.stringify(events.at(-1)?.data) === "{}",
    },
    {
      law: "has at most one final progress and no other progress after it",
      holds: (events: readonly SearchEvent[]) =>
        progressOf(events)
          .map((one) => one["done"])
          .indexOf(true) ===
          progressOf(events).length - 1 || progressOf(events).every((one) => one["done"] === false),
    },
    {
      law: "has a final progress when it has more than alerts and errors",
      holds: (events: readonly SearchEvent[]) =>
        events.every((event) => ["alert", "error", "done"].includes(event.name)) ||
        progressOf(events).at(-1)?.["done"] === true,
    },
    {
      law: "has no results after the final progress",
      holds: (events: readonly SearchEvent[]) => {
        const final = events.findIndex(
          ({ data }) => isPayloadObject(data) && data["done"] === true && "skipped" in data,
        );
        return events.slice(final + 1).every((event) => final < 0 || !/^(?:matches|filters)$/u.test(event.name));
      },
    },
    {
      law: "counts matches and milliseconds up",
      holds: (events: readonly SearchEvent[]) =>
        isSorted(progressOf(events).map((one) => one["matchCount"])) &&
        isSorted(progressOf(events).map((one) => one["durationMs"])),
    },
    {
      law: "counts repositories in the final progress when something matched",
      holds: (events: readonly SearchEvent[]) =>
        progressOf(events).every(
          (one) => one["done"] !== true || one["matchCount"] === 0 || one["repositoriesCount"] === 2,
        ),
    },
    {
      law: "has all that was found in its order and nothing more, however it is put into elements",
      holds: (events: readonly SearchEvent[]) =>
        JSON.stringify(matchesOf(events).flatMap(foundIn)) ===
        JSON.stringify(matchesOf(streams[name] ?? []).flatMap(foundIn)),
    },
    {
      law: "has a text as context of every chunk",
      holds: (events: readonly SearchEvent[]) =>
        matchesOf(events)
          .flatMap(({ chunkMatches }) => objectsIn(chunkMatches))
          .every(({ context }) => context === "a needle" || context === "one more"),
    },
    {
      law: "keeps every filter that was suggested once",
      holds: (events: readonly SearchEvent[]) =>
        filterValuesOf(events).every((values, index, lists) =>
          (lists[index - 1] ?? []).every((value) => values.includes(value)),
        ),
    },
    {
      law: "suggests to ask for more wherever a limit was reached",
      holds: (events: readonly SearchEvent[]) =>
        progressOf(events)
          .flatMap((one) => objectsIn(one["skipped"]))
          .filter(({ reason }) => reason === "shard-match-limit")
          .every(({ suggested }) => /^count:(?:all|\d{4,})$/u.test(String(Object(suggested).queryExpression))),
    },
    {
      law: "leaves out nothing that a content match must have",
      holds: (events: readonly SearchEvent[]) =>
        events
          .filter((event) => event.name === "matches")
          .flatMap(({ data }) => objectsIn(data))
          .filter(({ type }) => type === "content")
          .every(
            (match) =>
              typeof match["path"] === "string" &&
              typeof match["repository"] === "string" &&
              match["repositoryID"] === 7 &&
              (match["hunks"] === null || isPayloadArray(match["hunks"])),
          ),
    },
    {
      law: "has complete filter suggestions and skipped entries",
      holds: (events: readonly SearchEvent[]) =>
        events
          .filter((event) => event.name === "filters")
          .flatMap(({ data }) => objectsIn(data))
          .every((one) => ["value", "label", "count", "exhaustive", "kind"].every((key) => key in one)) &&
        progressOf(events)
          .flatMap((one) => objectsIn(one["skipped"]))
          .every((one) => ["reason", "title", "message", "severity"].every((key) => typeof one[key] === "string")),
    },
    {
      law: "has objects as data of alerts",
      holds: (events: readonly SearchEvent[]) =>
        events.filter((event) => event.name === "alert").every(({ data }) => isPayloadObject(data)),
    },
  ])("$law", ({ holds }) => {
    expect(all.filter(({ events }) => !holds(events)).map(({ seed }) => seed)).toEqual([]);
    expect(all).toHaveLength(seeds.length);
  });
});

const pieces = seeds.map((seed) => variedStream(streams["search"] ?? [], seed));
const texts = pieces.map((some) => Buffer.concat(some).toString("utf8"));
const nothings = seeds.map((seed) => Buffer.concat(variedStream(streams["nothing"] ?? [], seed)).toString("utf8"));

describe("some variation", () => {
  test.each([
    { freedom: "writes data before event", sign: /^data: ?[^\n]*\nevent/mu },
    { freedom: "leaves the space after a colon out", sign: /^event:[a-z]/mu },
    { freedom: "writes JSON with spaces", sign: /^data: ?\[ \{ "/mu },
    { freedom: "escapes everything that is not ASCII", sign: /\\u65e5\\u672c/u },
    { freedom: "escapes little", sign: /<needle>/u },
    { freedom: "adds members with treacherous names", sign: /"__proto__":/u },
    { freedom: "has an empty list of matches", sign: /event: ?matches\ndata: ?\[\]\n/u },
    { freedom: "has an empty list of filters", sign: /event: ?filters\ndata: ?\[\]\n/u },
    { freedom: "has an unlisted event", sign: /event: ?heartbeat\n/u },
    { freedom: "has an alert before any result", sign: /^event: ?alert\n/u },
    { freedom: "has an alert after the final progress", sign: /"repositoriesCount": ?2[^\n]*\n\nevent: ?alert/u },
    { freedom: "has an error before done", sign: /event: ?error\n[^\n]*\n\nevent: ?done/u },
    { freedom: "begins with a progress", sign: /^event: ?progress\n/u },
    { freedom: "has no running progress at all", sign: /^(?!.*"done": ?false)/su },
    { freedom: "has hunks", sign: /"hunks": ?\[ ?\{/u },
    { freedom: "has a chunk of nothing but its context", sign: /\{ ?"context": ?"a needle" ?\}/u },
    {
      freedom: "has the text of a chunk under two names",
      sign: /^(?:(?!"context": ?"a needle").)*"content": ?"a needle"/su,
    },
    { freedom: "has an alert of a level alone", sign: /event: ?alert\ndata: ?\{ ?"level": ?"info" ?\}/u },
    { freedom: "leaves `skipped` out", sign: /"done": ?(?:true|false)(?!.*"skipped").*\n/u },
    { freedom: "suggests nothing where nothing was cut", sign: /"severity": ?"info" ?\}/u },
    { freedom: "has a skipped reason nobody saw", sign: /"repository-quarantined"/u },
    { freedom: "has a severity nobody saw", sign: /"severity": ?"notice"/u },
    { freedom: "has a filter kind nobody saw", sign: /"kind": ?"topic"/u },
    { freedom: "has a trace", sign: /"trace": ?"https:/u },
    { freedom: "has another unit of counts", sign: /"matchCount": ?147\D/u },
    { freedom: "has a match of nothing but its type", sign: /\{ ?"type": ?"path" ?\}/u },
  ])("$freedom", ({ sign }) => {
    expect(texts.filter((text) => sign.test(text)).length).toBeGreaterThan(0);
    expect(texts.filter((text) => !sign.test(text)).length).toBeGreaterThan(0);
  });

  test("of a search without results keeps the count of repositories", () => {
    expect(nothings.filter((text) => !/"repositoriesCount": ?0/u.test(text))).toEqual([]);
  });

  test("has a file in two elements", () => {
    const plain = matchesOf(streams["search"] ?? []).length;
    const split = seeds.filter((seed) => matchesOf(varied("search", seed)).length > plain);
    expect(split.length).toBeGreaterThan(0);
    expect(split.length).toBeLessThan(seeds.length);
  });

  test("keeps its search comparable with others", () => {
    const isQuiet = (seed: number): boolean =>
      varied("search", seed).every(
        ({ data, name }) =>
          !["alert", "error"].includes(name) &&
          objectsIn(Object(data).skipped).every(({ reason }) =>
            /^(?:shard-match-limit|excluded-archive)$/u.test(String(reason)),
          ),
      );
    const quiet = seeds.filter(isQuiet);
    expect(quiet.length).toBeGreaterThan(seeds.length / 4);
    expect(quiet.length).toBeLessThan(seeds.length);
  });

  test("of a refusal can have a final progress", () => {
    const finals = seeds.filter((seed) => progressOf(varied("refusal", seed)).length === 1);
    expect(finals.length).toBeGreaterThan(0);
    expect(finals.length).toBeLessThan(seeds.length);
  });

  test.each([
    { name: "cuts a character in two", cuts: (piece: Buffer) => ((piece[0] ?? 0) & 0xc0) === 0x80 },
    { name: "has pieces of one byte", cuts: (piece: Buffer) => piece.length === 1 },
    { name: "cuts between the two line feeds", cuts: (piece: Buffer) => piece[0] === 0x0a },
    {
      name: "has several events in one piece",
      cuts: (piece: Buffer) => piece.toString("utf8").split("\n\n").length > 4,
    },
  ])("$name", ({ cuts }) => {
    expect(pieces.filter((some) => some.some(cuts)).length).toBeGreaterThan(0);
  });
});

describe("a variation", () => {
  test("is a function of events and seed", () => {
    const events = streams["search"] ?? [];
    expect(variedStream(events, 11)).toEqual(variedStream(events, 11));
    expect(new Set(texts).size).toBe(texts.length);
  });

  test("does not change the events it is given", () => {
    const before = JSON.stringify(streams);
    expect(seeds.slice(0, 50).map((seed) => varied("search", seed))).toHaveLength(50);
    expect(JSON.stringify(streams)).toBe(before);
  });
});
