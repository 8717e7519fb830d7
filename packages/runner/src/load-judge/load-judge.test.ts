import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repetitions } from "@assay/tools/proving";
import type { JudgedGroup, LoadJudgement, LoadRuleOutcome } from "@assay/results";
import * as fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { keptFileBytes, type KeptSketch } from "../testing/kept-file.ts";
import { goodStream, recorded, webPage } from "../testing/recorded.ts";
import { createLoadJudge, judgeLoad, type LoadToJudge } from "./load-judge.ts";

const folder = mkdtempSync(join(tmpdir(), "assay-judge-load-"));
afterAll(() => rmSync(folder, { recursive: true }));

let made = 0;
const newPath = (): string => {
  made += 1;
  return join(folder, `search-${made}.bin`);
};

const fileOf = (entries: readonly (KeptSketch | string)[]): string => {
  const path = newPath();
  writeFileSync(path, keptFileBytes(entries));
  return path;
};

const loadOf = (files: readonly string[], changes: Partial<LoadToJudge> = {}): LoadToJudge => ({
  files,
  interfaces: new Set(["stream"]),
  sides: ["base"],
  counts: {},
  keptBytes: 1,
  capBytes: 2,
  problems: [],
  ...changes,
});

const judged = (entries: readonly (KeptSketch | string)[], changes?: Partial<LoadToJudge>): LoadJudgement =>
  judgeLoad(loadOf([fileOf(entries)], changes));

const outcomeOf = ({ rules }: LoadJudgement, rule: string): LoadRuleOutcome | undefined =>
  rules.find((one) => one.rule === rule)?.outcome;

const good: KeptSketch = { body: goodStream };
const withoutDone: KeptSketch = { body: goodStream.subarray(0, goodStream.lastIndexOf("event: done")) };
const cutOff: KeptSketch = { body: goodStream.subarray(0, 200), failure: "reset" };
const unanswered: KeptSketch = { status: 0, failure: "refused" };
const doneIsLast = "stream/done-is-last";

describe("the exchanges of a load", () => {
  const nothing = { judged: 0, brokenOff: 0, unanswered: 0, thinnedOut: 0, lost: 0 };
  test.each<[string, readonly KeptSketch[], LoadToJudge["counts"], Partial<JudgedGroup>, string]>([
    ["all of them whole", [good, good], {}, { sent: 2, judged: 2 }, "2 of 2 exchanges were checked"],
    [
      "cut off by the target",
      [good, cutOff],
      {},
      { sent: 2, judged: 1, brokenOff: 1 },
      "1 of 2 exchanges were checked completely (50 %); 1 broke off and was checked up to that point",
    ],
    [
      "without an answer",
      [good, unanswered, unanswered],
      {},
      { sent: 3, judged: 1, unanswered: 2 },
      "1 of 3 exchanges were checked completely (33.3 %); 2 had no answer to check",
    ],
    [
      "of which the files had no room for all",
      [good],
      { search: { sent: 1000, thinnedOut: 999, lost: 0 } },
      { sent: 1000, judged: 1, thinnedOut: 999 },
      "1 of 1,000 exchanges were checked completely (0.1 %); 999 were left out at random because the files were full, or filled too fast",
    ],
    [
      "that the recorder did not keep up with",
      [unanswered],
      { search: { sent: 2, thinnedOut: 0, lost: 1 } },
      { sent: 2, unanswered: 1, lost: 1 },
      "0 of 2 exchanges were checked completely (0 %); 1 had no answer to check, 1 was not stored because the recorder could not keep up",
    ],
    [
      "that were under way when k6 was killed",
      [good],
      { search: { sent: 3, thinnedOut: 0, lost: 0 } },
      { sent: 3, judged: 1 },
      "1 of 3 exchanges were checked completely (33.3 %); 2 are not on the disk",
    ],
    [
      "that are more than were counted",
      [good, good],
      { search: { sent: 1, thinnedOut: 0, lost: 0 } },
      { sent: 2, judged: 2 },
      "2 of 2 exchanges were checked",
    ],
  ])("%s are reported with their completeness", (...[, entries, counts, expected, sentence]) => {
    const { groups, sentence: said } = judged(entries, { counts });
    expect([groups, said]).toEqual([[{ group: "search", ...nothing, ...expected }], sentence]);
  });

  test("without any request are not reported", () => {
    const judgement = judgeLoad(loadOf([]));
    expect([judgement.groups, judgement.broken]).toEqual([[], []]);
    expect(new Set(judgement.rules.map(({ outcome }) => outcome))).toEqual(
      new Set(["not-tested", "compares-searches"]),
    );
  });

  test("are counted separately by kind", () => {
    const call: KeptSketch = { url: "http://code.example/.api/deepsearch/v1/1", session: "s", body: "{}" };
    const { groups } = judged([good, call, call, "s", { ...call, session: "t", status: 0, failure: "refused" }], {
      interfaces: new Set(["stream", "legacy"]),
    });
    expect(groups).toMatchObject([
      { group: "search", sent: 1, judged: 1 },
      { group: "conversation", sent: 3, judged: 2, unanswered: 1 },
    ]);
  });

  test("in a damaged file are judged up to the damage, and the file is named", () => {
    const path = newPath();
    writeFileSync(path, Buffer.concat([keptFileBytes([good]), Buffer.alloc(8, 255)]));
    const { groups, problems } = judgeLoad(loadOf([path]));
    expect(groups).toMatchObject([{ judged: 1 }]);
    expect(problems).toEqual([`search-${made}.bin was not read to its end: a record in it has an impossible length`]);
  });
});

describe("a rule", () => {
  test.each<[string, readonly KeptSketch[], LoadRuleOutcome]>([
    ["passes by complete exchanges", [good], "passed"],
    ["passes by complete exchanges even if others were cut off", [good, cutOff], "passed"],
    ["does not pass by cut-off exchanges alone", [cutOff], "blocked"],
    ["is not tested if nothing was answered", [unanswered], "not-tested"],
    ["fails by one of many", [...Array.from({ length: 300 }, () => good), withoutDone], "failed"],
    ["fails by a complete exchange, whatever was cut off", [withoutDone, cutOff], "failed"],
    [
      "is broken by what came of one that broke off",
      [{ ...cutOff, body: `event: done\ndata: {}\n\n${goodStream.toString()}` }],
      "failed",
    ],
  ])("%s", (_name, entries, outcome) => {
    expect(outcomeOf(judged(entries), doneIsLast)).toBe(outcome);
  });

  test.each<[string, readonly KeptSketch[], LoadRuleOutcome]>([
    ["if complete exchanges had no observation", [good], "not-tested"],
    ["if cut-off exchanges had none either", [good, cutOff], "not-tested"],
    ["but blocked if all were cut off", [cutOff], "blocked"],
  ])("about missing events is not tested %s", (_name, entries, outcome) => {
    expect(outcomeOf(judged(entries), "stream/alert-level-is-listed")).toBe(outcome);
  });

  test("that passed is confirmed, even if the first streams were intercepted", () => {
    const first = [{ status: 503 }, { status: 503, body: "busy" }, { body: webPage }, cutOff, unanswered];
    const { rules } = judged([...first, good, good, good]);
    const held = rules.filter(({ outcome }) => outcome === "passed");
    expect(held.length).toBeGreaterThan(10);
    expect(held.filter(({ confirmed }) => confirmed !== true)).toEqual([]);
  });

  test("that compares searches is not judged, and not reported as not tested", () => {
    const { rules } = judged([good, good]);
    const compares = rules.filter(({ outcome }) => outcome === "compares-searches");
    expect(compares.map(({ rule }) => rule)).toContain("stream/count-stops-search");
    expect(compares.every(({ reason, confirmed }) => reason === undefined && confirmed === undefined)).toBe(true);
  });

  test.each<[string, readonly KeptSketch[], readonly string[] | undefined]>([
    [
      "one",
      [
        { ...good, http: 2 },
        { ...unanswered, http: 1 },
      ],
      ["2"],
    ],
    [
      "several",
      [
        { ...good, http: 2 },
        { ...good, http: 1 },
        { ...good, http: 2 },
      ],
      ["1.1", "2"],
    ],
    ["none that is known", [good, { ...good, http: 7 }], undefined],
  ])("has its HTTP versions reported: %s", (_name, entries, versions) => {
    expect(judged(entries).httpVersions).toEqual(versions);
  });

  test("that failed is reported with the first failing exchange by time, not by file", () => {
    const later = fileOf([{ ...withoutDone, id: "later", sentAtMicros: 9e6 }]);
    const first = fileOf([good, { ...withoutDone, id: "first", sentAtMicros: 4e6, inFlight: 7, query: "x" }]);
    const { broken } = judgeLoad(loadOf([later, first]));
    expect(broken.find(({ rule }) => rule === doneIsLast)).toMatchObject({
      exchange: "first",
      atSeconds: 4,
      inFlight: 7,
      query: "x",
      violations: 2,
    });
  });
});

describe("a load that was not answered by the API", () => {
  const page: KeptSketch = { body: webPage };
  const login: KeptSketch = { status: 302 };
  const fromB: KeptSketch = { ...page, side: "head" };
  const streams = { base: [recorded({ body: goodStream })] };
  const both: Partial<LoadToJudge> = { sides: ["base", "head"] };
  test.each<[string, readonly KeptSketch[], Partial<LoadToJudge>, string | undefined, readonly string[]]>([
    ["with pages alone says so, and breaks no rule", [page, page], {}, "not-the-api", []],
    ["with redirects alone says so", [login, unanswered], {}, "not-the-api", []],
    ["with one page between streams breaks no rule", [good, page], {}, undefined, []],
    ["with one redirect between streams breaks no rule", [good, login], {}, undefined, []],
    ["breaks the rules that other streams break", [withoutDone, page], {}, undefined, [doneIsLast]],
    ["with streams without load breaks no rule", [page], { unloaded: streams }, undefined, []],
    ["at one of two targets says so", [good, fromB], both, "not-the-api", []],
    [
      "at one of two targets breaks the rules that the other breaks",
      [withoutDone, fromB],
      both,
      "not-the-api",
      [doneIsLast],
    ],
  ])("%s", (...[, entries, changes, code, rules]) => {
    const { notTheApi, broken } = judged(entries, changes);
    expect([notTheApi?.code, broken.map(({ rule }) => rule)]).toEqual([code, rules]);
  });
});

describe("a load that was partly not answered by the API", () => {
  const page: KeptSketch = { body: webPage, sentAtMicros: 7_200_000 };
  const seen = "http://code.example was not always the API: ";
  const next = "; a session may have ended, or a proxy or a login page may have answered instead";
  test.each<[string, readonly KeptSketch[], string | undefined]>([
    [
      "with pages",
      [good, page, unanswered, { ...page, sentAtMicros: 3_000_000 }],
      `${seen}2 of 3 searches were answered with a web page (status 200), the first in second 3 of the run${next}`,
    ],
    [
      "with redirects",
      [{ status: 302, sentAtMicros: 1_000_000 }, good, { status: 503 }],
      `${seen}1 of 3 searches were redirected to another place (status 302), the first in second 1 of the run${next}`,
    ],
    ["with other statuses does not say so", [good, { status: 503, body: webPage }, { status: 404 }], undefined],
    ["with a JSON error does not say so, since that breaks rules", [good, { body: '{"error":"x"}' }], undefined],
    ["with nothing else is reported as such", [page], undefined],
  ])("%s", (_name, entries, message) => {
    expect(judged(entries).notAlwaysTheApi?.message).toBe(message);
  });

  test.each([
    { name: "only after it", entries: [good], without: webPage, code: undefined },
    { name: "only in it", entries: [page], without: goodStream, code: "not-the-api" },
  ])("with pages $name", ({ entries, without, code }) => {
    expect(judged(entries, { unloaded: { base: [recorded({ body: without })] } }).notAlwaysTheApi?.code).toBe(code);
  });

  test("counts these as not answered", () => {
    const { groups, sentence } = judged([good, page]);
    expect(groups).toMatchObject([{ sent: 2, judged: 1, unanswered: 1 }]);
    expect(sentence).toBe("1 of 2 exchanges were checked completely (50 %); 1 had no answer to check");
  });
});

test.each([
  [
    "its title and what describes it",
    '{"title":"No results","description":"the index\\u001b is gone"}',
    "No results: the index\\x1b is gone",
  ],
  ["nothing if it has no text", '{"kind":"error"}', undefined],
  ["nothing if it is not an object", "[", undefined],
])("an alert in the answer to a search without load is reported: %s", (_name, data, expected) => {
  const body = `event: progress\ndata: {}\n\nevent: alert\ndata: ${data}\n\n`;
  expect(judged([good], { unloaded: { base: [recorded({ body: goodStream }), recorded({ body })] } }).alert).toBe(
    expected,
  );
});

describe("calls of a load that were not answered by the API", () => {
  const call: KeptSketch = { method: "POST", url: "http://code.example/.api/deepsearch/v1", session: "s" };
  const page: KeptSketch = { ...call, body: webPage };
  test.each<[string, readonly (KeptSketch | string)[], string | undefined]>([
    ["with pages alone break no rule", [page, "s", { ...page, session: "t" }], "not-the-api"],
    ["with 404 alone break no rule", [{ ...call, status: 404 }, "s"], "not-the-api"],
    [
      "with one page beside an answer break the rules that this breaks",
      [{ ...call, body: "{}" }, "s", page],
      undefined,
    ],
    ["with pages next to good streams say so", [good, page], "not-the-api"],
  ])("%s", (_name, entries, code) => {
    const { notTheApi, broken } = judged(entries, { interfaces: new Set(["stream", "legacy"]) });
    expect([notTheApi?.code, broken.length > 0]).toEqual([code, code === undefined]);
  });
});

describe("laws", () => {
  const kinds = { good, withoutDone, cutOff, unanswered, busy: { status: 503 }, page: { body: webPage } };
  const someExchanges = fc
    .array(fc.constantFrom(...Object.values(kinds)), { maxLength: 30 })
    .map((all) => all.map((one, index) => ({ ...one, url: `http://h/.api/search/stream?q=${index % 3}` })));

  test("a load has the same judgement whether it is followed in any steps or read at its end", () => {
    fc.assert(
      fc.property(
        fc.array(someExchanges, { maxLength: 3 }),
        fc.array(fc.nat(20_000), { maxLength: 8 }),
        (parts, steps) => {
          const files = parts.map((entries) => ({ path: newPath(), bytes: keptFileBytes(entries) }));
          const paths = files.map(({ path }) => path);
          const judge = createLoadJudge(new Set(["stream"]));
          const at = new Map(paths.map((path) => [path, 0]));
          for (const step of steps) {
            for (const { path, bytes } of files) {
              const from = at.get(path) ?? 0;
              appendFileSync(path, bytes.subarray(from, from + step));
              at.set(path, from + step);
            }
            judge.follow(paths);
          }
          files.forEach(({ path, bytes }) => writeFileSync(path, bytes));
          const followed = judge.finish(loadOf(paths));
          judge.close();
          expect(followed).toEqual(judgeLoad(loadOf(paths)));
        },
      ),
      { numRuns: repetitions(15, 100) },
    );
  });

  test("exchanges by completeness add up to those sent", () => {
    fc.assert(
      fc.property(someExchanges, fc.nat(9), fc.nat(9), (entries, thinnedOut, lost) => {
        const sent = entries.length + thinnedOut + lost;
        const { groups } = judged(entries, { counts: { search: { sent, thinnedOut, lost } } });
        const sums = groups.map((one) => one.judged + one.brokenOff + one.unanswered + one.thinnedOut + one.lost);
        expect(sums).toEqual(groups.map((one) => one.sent));
      }),
      { numRuns: repetitions(20, 100) },
    );
  });

  test("a rule that fails in one file fails in all of them together", () => {
    fc.assert(
      fc.property(someExchanges, someExchanges, (one, other) => {
        const alone = judged(one).broken.map(({ rule }) => rule);
        const together = judgeLoad(loadOf([fileOf(other), fileOf(one)])).broken.map(({ rule }) => rule);
        expect(together).toEqual(expect.arrayContaining(alone));
      }),
      { numRuns: repetitions(15, 60) },
    );
  });
});

test("a file that is removed while it is followed is dropped", () => {
  const [left, gone] = [fileOf([good]), fileOf([withoutDone])];
  const judge = createLoadJudge(new Set(["stream"]));
  judge.follow([left, gone]);
  judge.follow([left, join(folder, "never-there.bin")]);
  const judgement = judge.finish(loadOf([left]));
  judge.close();
  expect(judgement).toEqual(judgeLoad(loadOf([left])));
});

test("known failures of one target do not apply to another, and a list is reported once", () => {
  const list = "# Why.\n# owner: a   expires: 2999-12-31\nstream/done-is-last:no-done  https://a.test\nmistyped\n";
  const known = {
    files: [{ source: "known.txt", text: list }],
    startedAt: "2026-01-01T00:00:00Z",
    targets: { base: "https://a.test", head: "https://b.test" },
  };
  const both = [withoutDone, { ...withoutDone, side: "head" as const }];
  const {
    broken,
    known: told,
    knownFailureMistakes,
    rules,
  } = judged(both, { sides: ["base", "head"], knownFailures: known });
  expect(told).toMatchObject([{ rule: doneIsLast, side: "base", known: { status: "known-failure", line: 3 } }]);
  expect(broken).toMatchObject([{ rule: doneIsLast, side: "head" }]);
  expect([knownFailureMistakes?.length, rules.find(({ rule }) => rule === doneIsLast)?.outcome]).toEqual([1, "failed"]);
});
