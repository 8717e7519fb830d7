import { ruleIds } from "@assay/contract";
import { startServer, variedStream } from "@assay/reference-server";
import type { SearchEvent } from "@assay/reference-server";
import { exchangeOfBytes, judgeExchanges } from "@assay/runner";
import { beforeAll, expect, test } from "vitest";
import { makeRepository } from "../testing/git-repository.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { tool } from "../version.ts";

const queries = [
  "test",
  "test type:path",
  "type:repo",
  "test count:1",
  "no-such-text-anywhere",
  "patternType:regexp (",
];
const seeds = 500;
const repository = makeRepository(temporaryFolder());
let streams: readonly (readonly SearchEvent[])[] = [];

/** The events of a well-formed stream as they were meant. */
const eventsOf = (text: string): readonly SearchEvent[] =>
  [...text.matchAll(/^event: (.*)\ndata: (.*)\n\n/gmu)].map(([, name = "", data = ""]) => ({
    name,
    data: JSON.parse(data),
  }));

beforeAll(async () => {
  const server = await startServer({ repos: [repository], seed: 1 });
  try {
    const headers = { authorization: `token ${server.token}` };
    const answers = queries.map((q) =>
      fetch(`${server.url}/.api/search/stream?${new URLSearchParams({ q }).toString()}`, { headers }),
    );
    const texts = await Promise.all(answers.map(async (answer) => (await answer).text()));
    streams = texts.map(eventsOf);
  } finally {
    await server.close();
  }
});

/** Rules that fail or warn, with the seed that repeats it. */
function speaking(events: readonly SearchEvent[], seed: number): readonly string[] {
  const chunks = variedStream(events, seed).map((bytes, atMicros) => ({ bytes, atMicros }));
  const bytes = chunks.reduce((sum, chunk) => sum + chunk.bytes.length, 0);
  const { verdicts } = judgeExchanges({
    exchanges: [exchangeOfBytes({ bytes, chunks: () => chunks })],
    settings: { rules: ruleIds, mustObserve: [], strict: false, access: "undeclared" },
    tool,
    run: { id: "seed", startedAt: "", target: "", embedded: true, profile: "gate", seed, strict: false },
    areStreams: true,
  });
  const broken = verdicts.filter(({ verdict }) => verdict.outcome === "failed" || verdict.outcome === "warned");
  return broken.map(({ rule }) => `seed ${seed}: ${rule}`);
}

test("the searches that are varied have events of every kind", () => {
  const names = new Set(streams.flatMap((events) => events.map(({ name }) => name)));
  expect([...names].sort()).toEqual(["alert", "done", "filters", "matches", "progress"]);
});

test(`no rule speaks of what the document leaves open, in ${seeds} seeded variations of real streams`, () => {
  const found = Array.from({ length: seeds }, (_, seed) => speaking(streams[seed % streams.length] ?? [], seed));
  expect(found.flat()).toEqual([]);
});

test("the variations are not all the same", () => {
  const texts = new Set(
    Array.from({ length: 20 }, (_, seed) => Buffer.concat(variedStream(streams[0] ?? [], seed)).toString("latin1")),
  );
  expect(texts.size).toBe(20);
});
