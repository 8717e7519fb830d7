/** @module-tag proof */

import { join } from "node:path";
import { drawSample } from "@assay/tools/proving";
import { isStreamRuleId, ruleIds as allRuleIds } from "@assay/contract";
import { readBundle } from "@assay/evidence";
import type { RecordedExchange } from "@assay/evidence";
import { variedStream } from "@assay/reference-server";
import type { SearchEvent } from "@assay/reference-server";
import { beforeAll, describe, expect, test } from "vitest";
import { sharedRepository } from "../testing/git-repository.ts";
import { serverHost } from "../testing/hosted-server.ts";
import { judgedSeed } from "../testing/judged-seed.ts";
import { judgeServer } from "../testing/run-in-process.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";

const ruleIds = allRuleIds.filter((id) => isStreamRuleId(id));
const folder = temporaryFolder();
const startServer = serverHost();

/** One exchange of a real run, and the events of its stream. */
interface Recorded {
  readonly exchange: RecordedExchange;
  readonly events: readonly SearchEvent[];
}

let run: readonly Recorded[] = [];

const textOf = (exchange: RecordedExchange): string =>
  Buffer.concat([...exchange.chunks()].map(({ bytes }) => bytes)).toString();

/** The events of a well-formed stream. */
const eventsOf = (text: string): readonly SearchEvent[] =>
  [...text.matchAll(/^event: (.*)\ndata: (.*)\n\n/gmu)].map(([, name = "", data = ""]) => ({
    name,
    // All bytes arrive at once here, so a note about the time on a busy machine is not expected.
    data: JSON.parse(data.replaceAll(/"durationMs":\d+/gu, '"durationMs":0')),
  }));

beforeAll(async () => {
  // The server names its own limit, which a rule needs.
  const fault = { id: "own-limit-named" };
  const server = await startServer({ repos: [sharedRepository()], seed: 1, vocabulary: "observed", fault });
  const out = join(folder, "run");
  await judgeServer(server, { out });
  await server.close();
  const { exchanges } = await readBundle(out);
  run = exchanges.map((exchange) => ({ exchange, events: eventsOf(textOf(exchange)) }));
});

/** An exchange with a stream in another permitted form, by the server of this seed. */
function varied({ exchange, events }: Recorded, seed: number): RecordedExchange {
  const { record } = exchange;
  if (events.length === 0 || record.response === undefined) {
    return exchange;
  }
  // All at once, because arrival times are not varied and the machine may have been busy.
  const startMicros = record.times.sentAtMicros;
  const pieces = variedStream(events, seed, record.id);
  const chunks = pieces.map((bytes, index) => ({ bytes, atMicros: startMicros + index }));
  const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const response = { ...record.response, body: { sha256: "", bytes, chunks: [] } };
  return { record: { ...record, response }, chunks: () => chunks };
}

/** A failing seed alone: `ASSAY_VARIATION_SEED=123 npx vitest run src/e2e/legal-variations.proof.test.ts`. */
const only = process.env["ASSAY_VARIATION_SEED"];
const all = Array.from({ length: 500 }, (_, seed) => seed);
const tried = drawSample(all, 10);
const seeds = only === undefined ? tried : [Number(only)];

describe("a real run, sent again in every freedom that the document leaves", () => {
  test("has events of every kind", () => {
    const names = new Set(run.flatMap(({ events }) => events.map(({ name }) => name)));
    expect([...names].sort()).toEqual(["alert", "done", "filters", "matches", "progress"]);
  });

  test(`breaks no rule, with ${seeds.length} seeds, and shows nearly all of them`, () => {
    const judged = seeds.map((seed) =>
      judgedSeed(
        run.map((recorded) => varied(recorded, seed)),
        ruleIds,
        seed,
      ),
    );
    expect(judged.flatMap(({ broken }) => broken)).toEqual([]);
    const seen = new Set(judged.flatMap((one) => one.seen));
    // A public target would show the first. A recorded run on a busy machine may be slow enough to show the second.
    const perhapsUnseen = new Set<string>([
      "stream/anonymous-search-is-accepted",
      "stream/results-arrive-incrementally",
    ]);
    const isAll = only === undefined;
    const needed: readonly string[] = ruleIds.filter((id) => isAll && !perhapsUnseen.has(id));
    expect(needed.filter((id) => !seen.has(id))).toEqual([]);
  });

  test("is not the same twice", () => {
    const some = seeds.slice(0, 20);
    const texts = new Set(some.map((seed) => run.map((recorded) => textOf(varied(recorded, seed))).join("")));
    expect(texts.size).toBe(some.length);
  });
});
