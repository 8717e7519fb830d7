import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { FaultChoice } from "./fault-registry.ts";
import type { RunningServer, ServerOptions } from "../server-options.ts";
import { startServer } from "../start-server.ts";
import { createGitFixture, type GitFixture } from "../testing/git-fixture.ts";
import { outputs } from "../testing/known-outputs.ts";
import { rawSearch } from "../testing/raw-client.ts";
import { eventNamesOf, finalProgressOf, objectsIn, objectsOf } from "../testing/strict-events.ts";

const lines = [
  "one",
  "two",
  "the first needle of the file",
  "four",
  "five",
  "six",
  "seven",
  "and a needle, with a tail that is long",
  "nine",
  "ten",
  "eleven",
];

const files: Readonly<Record<string, string>> = {
  "a.txt": `${lines.join("\n")}\n`,
  "b.txt": "a nee.le that only looks like one\n",
  ...Object.fromEntries([1, 2, 3, 4].map((index) => [`more/${index}.txt`, `a needle of ${index}\n`])),
};

let fixture: GitFixture;
let healthy: RunningServer;

const start = (options: Omit<ServerOptions, "repos"> = {}): Promise<RunningServer> =>
  startServer({ repos: [fixture.directory], seed: 1, vocabulary: "observed", outputs, ...options });

beforeAll(async () => {
  fixture = createGitFixture({ files });
  healthy = await start();
});

afterAll(async () => {
  await healthy.close();
  fixture.remove();
});

type Parameters = Readonly<Record<string, string>>;

/** A search in the table: a query, or a query with parameters. */
type Asked = string | readonly [q: string, parameters: Parameters];

const ask = async (server: RunningServer, asked: Asked): Promise<Buffer> => {
  const [q, parameters] = typeof asked === "string" ? [asked, {}] : asked;
  return (await rawSearch(server, q, parameters)).body;
};

const healthyAnswers = new Map<string, Promise<Buffer>>();

/** The answer of a server without a fault, requested once. */
const askHealthy = (asked: Asked): Promise<Buffer> => {
  const key = JSON.stringify(asked);
  const answer = healthyAnswers.get(key) ?? ask(healthy, asked);
  healthyAnswers.set(key, answer);
  return answer;
};

const textOf = (body: Buffer): string => body.toString("utf8").replaceAll(/("durationMs":)\d+/gu, "$10");

const delivered = (body: Buffer): number => objectsOf(body, "matches").length;
const counted = (body: Buffer): unknown => finalProgressOf(body)?.["matchCount"];
const skipped = (body: Buffer): readonly unknown[] => objectsIn(finalProgressOf(body)?.["skipped"]);
const reasons = (body: Buffer): readonly unknown[] => objectsIn(skipped(body)).map(({ reason }) => reason);
const suggested = (body: Buffer): readonly unknown[] =>
  objectsIn(skipped(body)).map((entry) => Object(Object(entry)["suggested"]).queryExpression);
const chunks = (body: Buffer): readonly unknown[] =>
  objectsOf(body, "matches").map(({ chunkMatches }) => objectsIn(chunkMatches).map(({ context }) => context));
const lineNumbers = (body: Buffer): readonly unknown[] =>
  objectsOf(body, "matches").map(({ lineMatches }) => objectsIn(lineMatches).map(({ lineNumber }) => lineNumber));
const paths = (body: Buffer): readonly unknown[] => objectsOf(body, "matches").map(({ path }) => path);

const sizes = (body: Buffer): readonly unknown[] => [delivered(body), counted(body), reasons(body)];

/** Members of the chunks of the first match. */
const chunkMembers = (body: Buffer): readonly unknown[] =>
  objectsIn(objectsOf(body, "matches")[0]?.["chunkMatches"]).map(({ content, context }) => [content, context]);

const inA = "needle file:a.txt";
const cm = { cm: "true" };
const around = (first: number, last: number): string => lines.slice(first, last + 1).join("\n");

interface Row {
  readonly fault: string | FaultChoice;
  readonly asked: Asked;
  readonly shown: (body: Buffer) => unknown;
  readonly before: unknown;
  readonly after: unknown;
  /** Searches that the fault does not change. */
  readonly spared: readonly Asked[];
}

const rows: readonly Row[] = [
  {
    fault: "display-exceeded",
    asked: ["needle", { display: "1" }],
    shown: sizes,
    before: [1, 6, []],
    after: [5, 6, []],
    spared: ["needle", "needle count:1"],
  },
  {
    fault: "display-overshot",
    asked: ["needle", { display: "2" }],
    shown: sizes,
    before: [1, 6, []],
    after: [3, 6, []],
    spared: ["needle", ["needle", { display: "-1" }], "needle count:1"],
  },
  {
    fault: { id: "display-overshot", params: { more: 2 } },
    asked: ["needle", { display: "0" }],
    shown: sizes,
    before: [0, 6, []],
    after: [2, 6, []],
    spared: ["needle"],
  },
  {
    fault: "display-stops-counting",
    asked: ["needle", { display: "3" }],
    shown: sizes,
    before: [2, 6, []],
    after: [2, 3, []],
    spared: ["needle", ["needle", { display: "-1" }], ["needle count:2", { display: "3" }], "needle count:3"],
  },
  {
    fault: "default-display",
    asked: "needle",
    shown: sizes,
    before: [5, 6, []],
    after: [2, 6, ["shard-match-limit"]],
    spared: [
      ["needle", { display: "4" }],
      ["needle", { display: "-1" }],
    ],
  },
  {
    fault: "count-ignored",
    asked: "needle count:2",
    shown: sizes,
    before: [1, 2, ["shard-match-limit"]],
    after: [5, 6, []],
    spared: ["needle", "needle count:all", ["needle", { display: "2" }]],
  },
  {
    fault: "count-cuts-delivery-only",
    asked: "needle count:3",
    shown: sizes,
    before: [2, 3, ["shard-match-limit"]],
    after: [2, 6, ["shard-match-limit"]],
    spared: ["needle", "needle count:all", ["needle", { display: "2" }]],
  },
  {
    fault: "count-all-capped",
    asked: "needle count:all",
    shown: sizes,
    before: [5, 6, []],
    after: [1, 1, ["shard-match-limit"]],
    spared: ["needle", "needle count:3"],
  },
  {
    fault: { id: "count-overshot", params: { more: 2 } },
    asked: "needle count:1",
    shown: sizes,
    before: [1, 1, ["shard-match-limit"]],
    after: [2, 3, ["shard-match-limit"]],
    spared: ["needle", "needle count:all"],
  },
  {
    fault: "cut-not-named",
    asked: "needle count:1",
    shown: sizes,
    before: [1, 1, ["shard-match-limit"]],
    after: [1, 1, []],
    spared: ["needle", "needle count:all"],
  },
  {
    fault: { id: "own-limit-not-named", params: { limit: 2 } },
    asked: "needle",
    shown: sizes,
    before: [5, 6, []],
    after: [1, 2, []],
    spared: ["needle count:1", "needle count:all"],
  },
  {
    fault: { id: "own-limit-named", params: { limit: 2 } },
    asked: "needle",
    shown: sizes,
    before: [5, 6, []],
    after: [1, 2, ["shard-match-limit"]],
    spared: ["needle count:1", "needle count:all"],
  },
  {
    fault: "omitted-v-knows-no-filters",
    asked: "needle file:a.txt",
    shown: sizes,
    before: [1, 2, []],
    after: [0, 0, []],
    spared: [["needle", { v: "V3" }], "needle patternType:regexp"],
  },
  {
    fault: "suggestion-missing",
    asked: "needle count:1",
    shown: suggested,
    before: ["count:1000"],
    after: [undefined],
    spared: ["needle"],
  },
  {
    fault: "suggestion-too-low",
    asked: "needle count:1",
    shown: suggested,
    before: ["count:1000"],
    after: ["count:1"],
    spared: ["needle"],
  },
  {
    fault: "suggestion-not-a-count",
    asked: "needle count:1",
    shown: suggested,
    before: ["count:1000"],
    after: ["archived:yes"],
    spared: ["needle"],
  },
  {
    fault: { id: "suggestion-of-another-number", params: { count: 77 } },
    asked: "needle count:1",
    shown: suggested,
    before: ["count:1000"],
    after: ["count:77"],
    spared: ["needle"],
  },
  {
    fault: "cm-ignored",
    asked: [inA, cm],
    shown: (body) => [chunks(body), lineNumbers(body)],
    before: [[[around(1, 3), around(6, 8)]], [[]]],
    after: [[[]], [[2, 7]]],
    spared: [inA, [inA, { cm: "false" }]],
  },
  {
    fault: { id: "cm-ignored", params: { how: "empty-list" } },
    asked: [inA, cm],
    shown: (body) => objectsOf(body, "matches").map(({ chunkMatches }) => objectsIn(chunkMatches).length),
    before: [2],
    after: [0],
    spared: [inA, [inA, { cm: "false" }]],
  },
  {
    fault: "chunks-without-cm",
    asked: inA,
    shown: (body) => [chunks(body), lineNumbers(body)],
    before: [[[]], [[2, 7]]],
    after: [[[around(1, 3), around(6, 8)]], [[]]],
    spared: [
      [inA, cm],
      [inA, { cm: "false" }],
    ],
  },
  {
    fault: { id: "chunks-without-cm", params: { when: "false" } },
    asked: [inA, { cm: "false" }],
    shown: (body) => [chunks(body), lineNumbers(body)],
    before: [[[]], [[2, 7]]],
    after: [[[around(1, 3), around(6, 8)]], [[]]],
    spared: [inA, [inA, cm]],
  },
  ...[
    { how: "renamed", after: [around(2, 2), undefined] },
    { how: "missing", after: [undefined, undefined] },
    { how: "not-text", after: [undefined, [around(2, 2)]] },
    { how: "null", after: [undefined, null] },
  ].map(({ after, how }): Row => ({
    fault: { id: "chunk-text-renamed", params: { how } },
    asked: [`${inA} count:1`, { cm: "true", cl: "0" }],
    shown: chunkMembers,
    before: [[undefined, around(2, 2)]],
    after: [after],
    spared: [inA],
  })),
  {
    fault: "chunk-lines-shortened",
    asked: [inA, { cm: "true", cl: "0" }],
    shown: chunks,
    before: [[lines[2], lines[7]]],
    after: [["the first ", "and a need"]],
    spared: [inA, [inA, { cm: "true", "max-line-len": "15" }]],
  },
  {
    fault: { id: "chunk-lines-shortened", params: { length: 30 } },
    asked: [inA, { cm: "true", cl: "0" }],
    shown: chunks,
    before: [[lines[2], lines[7]]],
    after: [[lines[2], "and a needle, with a tail that"]],
    spared: [inA],
  },
  {
    fault: "max-line-len-ignored",
    asked: [inA, { cm: "true", cl: "0", "max-line-len": "10" }],
    shown: chunks,
    before: [["the first ", "and a need"]],
    after: [[lines[2], lines[7]]],
    spared: [inA, [inA, cm], [inA, { cm: "true", "max-line-len": "-1" }], [inA, { "max-line-len": "10" }]],
  },
  {
    fault: { id: "max-line-len-exceeded", params: { more: 2 } },
    asked: [inA, { cm: "true", cl: "0", "max-line-len": "10" }],
    shown: chunks,
    before: [["the first ", "and a need"]],
    after: [["the first ne", "and a needle"]],
    spared: [inA, [inA, cm], [inA, { cm: "true", "max-line-len": "-1" }], [inA, { "max-line-len": "10" }]],
  },
  {
    fault: "cl-ignored",
    asked: [inA, { cm: "true", cl: "0" }],
    shown: chunks,
    before: [[lines[2], lines[7]]],
    after: [[around(1, 3), around(6, 8)]],
    spared: [inA, [inA, cm], [inA, { cm: "true", cl: "1" }], [inA, { cl: "3" }]],
  },
  {
    fault: "cl-too-many",
    asked: [inA, { cm: "true", cl: "0" }],
    shown: chunks,
    before: [[lines[2], lines[7]]],
    after: [[around(1, 3), around(6, 8)]],
    spared: [inA, [inA, { cl: "3" }]],
  },
  {
    fault: "cl-one-sided",
    asked: [inA, cm],
    shown: chunks,
    before: [[around(1, 3), around(6, 8)]],
    after: [[around(1, 2), around(6, 7)]],
    spared: [inA, [inA, { cm: "true", cl: "0" }]],
  },
  {
    fault: { id: "cl-one-sided", params: { side: "after" } },
    asked: [inA, cm],
    shown: chunks,
    before: [[around(1, 3), around(6, 8)]],
    after: [[around(2, 3), around(7, 8)]],
    spared: [inA, [inA, { cm: "true", cl: "0" }]],
  },
  {
    fault: "cl-default-is-zero",
    asked: [inA, cm],
    shown: chunks,
    before: [[around(1, 3), around(6, 8)]],
    after: [[lines[2], lines[7]]],
    spared: [inA, [inA, { cm: "true", cl: "1" }]],
  },
  {
    fault: "cl-default-is-three",
    asked: [inA, cm],
    shown: chunks,
    before: [[around(1, 3), around(6, 8)]],
    after: [[lines.join("\n")]],
    spared: [inA, [inA, { cm: "true", cl: "1" }]],
  },
  {
    fault: "cl-without-cm",
    asked: [inA, { cl: "1", "max-line-len": "3" }],
    shown: lineNumbers,
    before: [[2, 7]],
    after: [[1, 2, 3, 6, 7, 8]],
    spared: [inA, [inA, { cl: "0" }], [inA, cm], [inA, { cm: "true", cl: "3" }]],
  },
  {
    fault: "omitted-v-is-v1",
    asked: "nee.le file:^[ab]",
    shown: paths,
    before: ["b.txt"],
    after: ["a.txt", "b.txt"],
    spared: [["nee.le", { v: "V3" }], "nee.le patternType:standard"],
  },
  {
    fault: "omitted-t-is-regexp",
    asked: ["nee.le file:^[ab]", { v: "V3" }],
    shown: paths,
    before: ["b.txt"],
    after: ["a.txt", "b.txt"],
    spared: [["nee.le", { t: "standard" }]],
  },
  {
    fault: "omitted-t-is-keyword",
    asked: "tail needle",
    shown: paths,
    before: [],
    after: ["a.txt"],
    spared: [["tail needle", { t: "standard" }], "tail needle patternType:standard"],
  },
  {
    fault: "t-beats-pattern-type",
    asked: ["nee.le patternType:regexp file:^[ab]", { t: "standard" }],
    shown: paths,
    before: ["a.txt", "b.txt"],
    after: ["b.txt"],
    spared: [["nee.le", { t: "standard" }], "nee.le patternType:regexp"],
  },
  {
    fault: "problem-without-alert",
    asked: "patternType:regexp (",
    shown: eventNamesOf,
    before: ["alert", "done"],
    after: ["error", "done"],
    spared: ["needle", "repo:nowhere needle", ["needle", { display: "x" }]],
  },
  {
    fault: "problem-silent",
    asked: "patternType:regexp (",
    shown: eventNamesOf,
    before: ["alert", "done"],
    after: ["done"],
    spared: ["needle", "repo:nowhere needle", ["needle", { display: "x" }]],
  },
  {
    fault: "max-line-len-in-characters",
    asked: [inA, { cm: "true", cl: "0", "max-line-len": "20" }],
    shown: chunks,
    before: [["the firs...truncated", "and a ne...truncated"]],
    after: [["the first needle of ", "and a needle, with a"]],
    spared: [inA, [inA, cm]],
  },
  {
    fault: "chunks-not-merged",
    asked: [inA, { cm: "true", cl: "3" }],
    shown: chunks,
    before: [[lines.join("\n")]],
    after: [[around(0, 5), around(4, 10)]],
    spared: [inA, [inA, cm]],
  },
  {
    fault: "chunk-text-with-last-line-feed",
    asked: [inA, { cm: "true", cl: "0" }],
    shown: chunks,
    before: [[lines[2], lines[7]]],
    after: [[`${lines[2]}\n`, `${lines[7]}\n`]],
    spared: [inA],
  },
];

describe("a fault of the search", () => {
  test.each(rows)(
    "$fault shows in $asked and in nothing else",
    async ({ after, asked, before, fault, shown, spared }) => {
      const server = await start({ fault });
      try {
        expect(shown(await askHealthy(asked))).toEqual(before);
        expect(shown(await ask(server, asked))).toEqual(after);
        expect(server.journal().at(-1)).toMatchObject({ faultApplied: true });
        const untouched = await Promise.all(spared.map(async (other) => textOf(await ask(server, other))));
        expect(untouched).toEqual(await Promise.all(spared.map(async (other) => textOf(await askHealthy(other)))));
        expect(server.journal().filter(({ faultApplied }) => faultApplied)).toHaveLength(1);
      } finally {
        await server.close();
      }
    },
  );
});

describe("the parts of a file that chunks-not-merged sends", () => {
  test("have their own start and the highlights of their own line", async () => {
    const server = await start({ fault: "chunks-not-merged" });
    const [match] = objectsOf(await ask(server, [inA, { cm: "true", cl: "3" }]), "matches");
    await server.close();
    expect(objectsIn(match?.["chunkMatches"])).toMatchObject([
      { contentStart: { offset: 0, line: 0, column: 0 }, ranges: [{ start: { line: 2 } }] },
      { contentStart: { offset: around(0, 3).length + 1, line: 4, column: 0 }, ranges: [{ start: { line: 7 } }] },
    ]);
  });
});
