/** @module-tag proof */

import { renameSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { drawSample } from "@assay/tools/proving";
import { defined, isStreamRuleId, ruleIds as allRuleIds, ruleRecord } from "@assay/contract";
import { readBundle } from "@assay/evidence";
import type { RecordedExchange } from "@assay/evidence";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { createServerEnvironment } from "../serve/server-environment.ts";
import { copyRepository } from "../testing/git-repository.ts";
import { serverHost } from "../testing/hosted-server.ts";
import { judgedSeed } from "../testing/judged-seed.ts";
import { judgeInProcess, runInProcess } from "../testing/run-in-process.ts";
import { httpTarget } from "../testing/target.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";

/** Here responses of one search have the times of another. */
const aboutTimes: ReadonlySet<string> = new Set([
  "stream/results-arrive-incrementally",
  "stream/duration-fits-clock",
  "stream/duration-is-in-milliseconds",
]);
const ruleIds = allRuleIds.filter((id) => isStreamRuleId(id) && !aboutTimes.has(id));
/** Rules about parameters, which every run tests. */
const parameterRules: readonly string[] = ruleIds.filter((id) => ruleRecord(id).chapter === "parameters");
const folder = temporaryFolder();
const startServer = serverHost();

/** One search of a run, and how each state of the index answers it. */
interface Search {
  readonly exchange: RecordedExchange;
  readonly bodies: readonly Buffer[];
}

let searches: readonly Search[] = [];

const states = 4;

function secondRepository(): string {
  const made = copyRepository(folder);
  const second = join(folder, "second");
  renameSync(made, second);
  return second;
}

const bodyOf = (exchange: RecordedExchange): Buffer => Buffer.concat([...exchange.chunks()].map(({ bytes }) => bytes));

beforeAll(async () => {
  const repos = [secondRepository(), copyRepository(folder)];
  // The server names its own limit, which a rule needs.
  const server = await startServer({ repos, seed: 1, vocabulary: "observed", fault: { id: "own-limit-named" } });
  const { SRC_ENDPOINT: url, ASSAY_ACCESS: access, ...env } = createServerEnvironment(server);
  const out = join(folder, "run");
  await runInProcess({ out, url, access }, env);
  await server.close();
  const { exchanges } = await readBundle(out);
  const others = await Promise.all(
    Array.from({ length: states - 1 }, (_, index) =>
      startServer({
        repos,
        seed: 1,
        vocabulary: "observed",
        access: "public",
        fault: { id: "index-in-other-states", params: { how: "fixed", seed: index + 1 } },
      }),
    ),
  );
  searches = await Promise.all(
    exchanges.map(async (exchange) => {
      const { pathname, search } = new URL(exchange.record.request.url);
      const isAnswered = exchange.record.response?.status === 200;
      const bodies = isAnswered
        ? others.map(async (one) => (await fetch(`${one.url}${pathname}${search}`)).arrayBuffer())
        : [];
      return { exchange, bodies: [bodyOf(exchange), ...(await Promise.all(bodies)).map((body) => Buffer.from(body))] };
    }),
  );
  await Promise.all(others.map((one) => one.close()));
});

/** The run, had each of its searches met one of the states. */
const composed = (stateOf: (search: Search, index: number) => number, all = searches): readonly RecordedExchange[] =>
  all.map((search, index) => {
    const { exchange, bodies } = search;
    const bytes = bodies[stateOf(search, index)] ?? bodies[0] ?? Buffer.alloc(0);
    const { record } = exchange;
    const atMicros = record.times.headersAtMicros ?? record.times.sentAtMicros;
    const response = record.response && {
      ...record.response,
      body: { sha256: "", bytes: bytes.length, chunks: [] },
    };
    return {
      record: { ...record, ...defined({ response }) },
      chunks: () => [{ bytes, atMicros }],
    };
  });

/** Maximum number of repetitions of compared searches. */
const times = 3;

/** The run with repeated comparisons, as after a change of the index. The repetitions come after everything else. */
function askedAgain(): readonly Search[] {
  const isAgain = ({ exchange: { record } }: Search): boolean =>
    record.credential === searches[0]?.exchange.record.credential &&
    !/^(?:type|paths|repos|nothing|problem)/u.test(record.probe);
  const lastMicros = Math.max(...searches.map(({ exchange }) => exchange.record.times.endedAtMicros));
  const more = Array.from({ length: times }, (_, time) =>
    searches.filter(isAgain).map((one) => later(one, time + 2, lastMicros)),
  );
  return [...searches, ...more.flat()];
}

function later({ exchange, bodies }: Search, time: number, lastMicros: number): Search {
  const { record } = exchange;
  const { sentAtMicros, endedAtMicros } = record.times;
  const lateMicros = (time - 1) * (lastMicros + 1);
  return {
    bodies,
    exchange: {
      ...exchange,
      record: {
        ...record,
        id: `${time}${record.id}`,
        probe: `${record.probe}-time-${time}`,
        times: { sentAtMicros: sentAtMicros + lateMicros, endedAtMicros: endedAtMicros + lateMicros },
      },
    },
  };
}

/** Which index state each search sees. All of these follow the specifications. */
const ways: readonly fc.Arbitrary<(search: Search, index: number) => number>[] = [
  // Replicas, of which each search meets some one, more or less often.
  fc
    .record({
      rare: fc.integer({ min: 1, max: states - 1 }),
      rolls: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 250, maxLength: 250 }),
      share: fc.constantFrom(0.03, 0.1, 0.3, 0.5),
    })
    .map(
      ({ rare, rolls, share }) =>
        (_: Search, index: number) =>
          (rolls[index] ?? 1) < share ? rare : 0,
    ),
  fc
    .array(fc.nat(states - 1), { minLength: 250, maxLength: 250 })
    .map((rolls) => (_: Search, index: number) => rolls[index] ?? 0),
  // A balancer that passes equal searches to the same replica, and one that alternates.
  fc.array(fc.nat(states - 1), { minLength: 16, maxLength: 16 }).map((replicas) => ({ exchange }: Search) => {
    const { url } = exchange.record.request;
    const sum = [...url].reduce((total, letter) => (total * 31 + (letter.codePointAt(0) ?? 0)) % 65_521, 7);
    return replicas[sum % replicas.length] ?? 0;
  }),
  fc.tuple(fc.integer({ min: 2, max: states }), fc.nat(3)).map(
    ([turns, first]) =>
      (_: Search, index: number) =>
        (index + first) % turns,
  ),
  // An index that moves between two searches, once or several times, in any order.
  fc.array(fc.tuple(fc.nat(240), fc.nat(states - 1)), { minLength: 1, maxLength: 16 }).map((moves) => {
    const sorted = moves.toSorted(([one], [other]) => one - other);
    return (_: Search, index: number) => sorted.findLast(([from]) => from <= index)?.[1] ?? 0;
  }),
];

describe("searches that met different states of the index", () => {
  test("had different responses in each of them", () => {
    const answered = searches.filter(({ bodies }) => bodies.length === states);
    expect(answered.length).toBeGreaterThan(30);
    const differ = answered.filter(
      ({ bodies }) => new Set(bodies.map((body) => body.toString().replace(/"durationMs":\d+/gu, ""))).size > 1,
    );
    expect(differ.length).toBeGreaterThan(25);
  });

  // Fifty at a time: a test that judges for minutes without a pause looks like one that hangs.
  const perTest = 50;
  const firstSeeds = drawSample(
    Array.from({ length: 10 }, (_, index) => index * perTest),
    10,
  );

  test.each(firstSeeds)("break no rule, from seed %i", (from) => {
    const runs = fc.sample(fc.oneof(...ways), { numRuns: perTest, seed: 13 + from });
    const broken = runs.flatMap((stateOf, index) => judgedSeed(composed(stateOf), ruleIds, from + index).broken);
    expect(broken).toEqual([]);
  });

  test.each(firstSeeds)(
    "break no rule either where they were asked again, and met other states again, from seed %i",
    (from) => {
      const all = askedAgain();
      const runs = fc.sample(fc.oneof(...ways), { numRuns: perTest, seed: 14 + from });
      const broken = runs.flatMap((stateOf, index) => judgedSeed(composed(stateOf, all), ruleIds, from + index).broken);
      expect(broken).toEqual([]);
    },
  );

  test("hide nothing if their repetitions saw the same one", () => {
    const all = askedAgain();
    const ofFirst = searches.length;
    const runs = fc.sample(fc.oneof(...ways), { numRuns: 50, seed: 15 });
    const judged = runs.map((stateOf, seed) =>
      judgedSeed(
        composed((search, index) => (index < ofFirst ? stateOf(search, index) : 0), all),
        ruleIds,
        seed,
      ),
    );
    expect(judged.flatMap(({ broken }) => broken)).toEqual([]);
    const hidden = judged.flatMap(({ seen }) => parameterRules.filter((id) => !seen.includes(id)));
    expect(hidden).toEqual([]);
  });

  test.each([
    { name: "all met the same one", note: "" },
    // `skipped` reports cut results, so a note explains no difference.
    {
      name: "each of them tells a note as well",
      note: 'event: alert\ndata: {"title":"Maintenance tonight","level":"info"}\n\n',
    },
  ])("hide nothing where $name", ({ note }) => {
    const noted = searches.map(({ exchange, bodies }) => ({
      exchange,
      bodies: bodies.slice(0, 1).map((body) => (bodies.length > 1 ? Buffer.concat([Buffer.from(note), body]) : body)),
    }));
    const { broken, seen } = judgedSeed(
      composed(() => 0, noted),
      ruleIds,
      0,
    );
    expect(broken).toEqual([]);
    expect(parameterRules.filter((id) => !seen.includes(id))).toEqual([]);
  });
});

describe("a target whose index moves only at first", () => {
  /** Passes searches on. Every second search sees another commit, until `count` searches were sent. */
  async function movingBefore(server: string, quietAfter: number): Promise<string> {
    let count = 0;
    return httpTarget((request, response) => {
      count += 1;
      void passOn(`${server}${request.url}`, response, count < quietAfter ? count >> 1 : undefined);
    });
  }

  async function passOn(url: string, response: ServerResponse, state: number | undefined): Promise<void> {
    const answer = await fetch(url);
    const text = await answer.text();
    const commit = `"commit":"${String(state).padStart(8, "0")}`;
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" });
    response.end(state === undefined ? text : text.replace(/"commit":"[^"]{8}/gu, commit));
  }

  const rule = "stream/t-selects-pattern-type";

  test("is asked again, and shows its fault", async () => {
    const repos = [join(folder, "sample")];
    const server = await startServer({ repos, seed: 1, access: "public", fault: { id: "t-ignored" } });
    const url = await movingBefore(server.url, 30);
    const { result } = await judgeInProcess({ out: join(folder, "settled"), url, access: "public", rule: [rule] });
    await server.close();
    expect(result.verdicts.map(({ verdict }) => verdict.outcome)).toEqual(["failed"]);
  });
});
