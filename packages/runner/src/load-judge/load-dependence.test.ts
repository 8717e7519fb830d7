import type { LoadSide } from "@assay/contract";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { recordDraft } from "@assay/evidence";
import type { RecordedExchange } from "@assay/evidence";
import { afterAll, describe, expect, test } from "vitest";
import { keptFileBytes, type KeptSketch } from "../testing/kept-file.ts";
import { recorded } from "../testing/recorded.ts";
import { judgeLoad, type UnloadedExchanges } from "./load-judge.ts";

const folder = mkdtempSync(join(tmpdir(), "assay-load-dependence-"));
afterAll(() => rmSync(folder, { recursive: true }));

let next = 0;

const progress =
  'event: progress\ndata: {"done":true,"matchCount":0,"durationMs":1,"repositoriesCount":1,"skipped":[]}\n\n';

/** A search whose stream ends correctly, or without `done`. */
const search = (isWhole: boolean): readonly RecordedExchange[] => {
  next += 1;
  return [recorded({ id: `s${next}`, body: `${progress}${isWhole ? "event: done\ndata: {}\n\n" : ""}` })];
};

interface Call {
  readonly method: "GET" | "POST";
  readonly status: "processing" | "completed";
  readonly createdAt?: string;
}

/** A call about the conversation 7. */
function call({ method, status, createdAt = "2026-01-31T12:00:00Z" }: Call): RecordedExchange {
  next += 1;
  const id = 7;
  const times = { created_at: createdAt, updated_at: `2026-01-31T12:00:${String(10 + (next % 49)).padStart(2, "0")}Z` };
  const answered = status === "completed" ? { answer: "here", title: "Here", sources: [] } : {};
  const question = { id: 71, conversation_id: id, question: "where?", status, ...times, ...answered };
  const sentAtMicros = next * 10_000;
  return recordDraft({
    id: `c${next}`,
    probe: "load",
    interface: "legacy",
    operation: method === "GET" ? "get" : "create",
    credential: "access-token",
    request: {
      method,
      url: `http://code.example/.api/deepsearch/v1${method === "GET" ? `/${id}` : ""}`,
      headers: [["authorization", "token x"]],
      ...(method === "POST" ? { body: JSON.stringify({ question: "where?" }) } : {}),
    },
    response: {
      status: method === "GET" ? 200 : 202,
      headers: [["content-type", "application/json"]],
      chunks: [
        { bytes: Buffer.from(JSON.stringify({ id, ...times, questions: [question] })), atMicros: sentAtMicros + 5000 },
      ],
    },
    end: { kind: "complete" },
    times: { sentAtMicros, headersAtMicros: sentAtMicros + 4000, endedAtMicros: sentAtMicros + 5000 },
  });
}

/** A conversation that stays in its end state, or leaves it. */
const conversation = (isKept: boolean, createdAt?: string): readonly RecordedExchange[] => {
  const made = createdAt === undefined ? {} : { createdAt };
  return [
    call({ method: "POST", status: "processing", ...made }),
    call({ method: "GET", status: "completed", ...made }),
    call({ method: "GET", status: isKept ? "completed" : "processing", ...made }),
    call({ method: "GET", status: isKept ? "completed" : "processing", ...made }),
  ];
};

const kept = (exchanges: readonly RecordedExchange[], side: LoadSide = "base"): readonly KeptSketch[] =>
  exchanges.map(({ record, chunks }) => ({
    id: record.id,
    method: record.request.method,
    url: record.request.url,
    status: record.response?.status ?? 0,
    body: Buffer.concat([...chunks()].map(({ bytes }) => bytes)),
    sentAtMicros: record.times.sentAtMicros,
    side,
    ...(record.interface === "stream" ? {} : { session: `${side}1` }),
  }));

function judged(load: readonly KeptSketch[], unloaded: UnloadedExchanges = {}, sides: readonly LoadSide[] = ["base"]) {
  next += 1;
  const path = join(folder, `search-${String(next).padStart(2, "0")}.bin`);
  writeFileSync(path, keptFileBytes(load));
  return judgeLoad({
    files: [path],
    interfaces: new Set(["stream", "legacy"]),
    sides,
    counts: {},
    keptBytes: 0,
    capBytes: 0,
    problems: [],
    unloaded,
  });
}

const kinds = [
  { kind: "a stream", rule: "stream/done-is-last", exchanges: search, other: conversation },
  {
    kind: "a history",
    rule: "legacy/status-transitions-are-listed",
    exchanges: (isKept: boolean) => conversation(isKept),
    other: search,
  },
] as const;

describe.each(kinds)("a rule about $kind", ({ rule, exchanges, other }) => {
  test.each([
    { without: "violated", unloaded: () => exchanges(false), dependence: "without-load-too" },
    {
      without: "violated once and kept once",
      unloaded: () => [...search(true), ...exchanges(false)],
      dependence: "without-load-too",
    },
    { without: "kept", unloaded: () => exchanges(true), dependence: "under-load" },
    { without: "not seen", unloaded: () => [], dependence: "unknown" },
    { without: "not seen, but others,", unloaded: () => other(true), dependence: "unknown" },
  ] as const)("that is violated under load and $without without is $dependence", ({ unloaded, dependence }) => {
    const judgement = judged(kept(exchanges(false)), { base: unloaded() });
    expect(judgement.broken.find((one) => one.rule === rule)).toMatchObject({ rule, dependence });
    expect(judgement.broken.find((one) => one.rule === rule)).not.toHaveProperty("side");
  });

  test.each([
    { without: "violated", unloaded: () => exchanges(false) },
    { without: "kept", unloaded: () => exchanges(true) },
    { without: "not seen", unloaded: () => [] },
  ])("that passed under load and $without without it is not reported", ({ unloaded }) => {
    const judgement = judged(kept(exchanges(true)), { base: unloaded() });
    expect(judgement.broken.map((one) => one.rule)).not.toContain(rule);
    expect(judgement.unloaded).toBe(unloaded().length);
  });

  test("with two targets is compared with requests to the same one", () => {
    const load = [...kept(exchanges(false), "base"), ...kept(exchanges(false), "head")];
    const judgement = judged(load, { base: exchanges(true), head: exchanges(false) }, ["base", "head"]);
    const found = judgement.broken.filter((one) => one.rule === rule);
    expect(found).toMatchObject([
      { side: "base", dependence: "under-load" },
      { side: "head", dependence: "without-load-too" },
    ]);
    expect(judgement.rules.filter((one) => one.rule === rule)).toMatchObject([{ outcome: "failed" }]);
  });

  test("with two targets is reported only for the target that fails", () => {
    const load = [...kept(exchanges(true), "base"), ...kept(exchanges(false), "head")];
    const judgement = judged(load, { base: exchanges(false), head: exchanges(true) }, ["base", "head"]);
    expect(judgement.broken.filter((one) => one.rule === rule)).toMatchObject([
      { side: "head", dependence: "under-load" },
    ]);
  });
});

test("conversations of two targets may have the same ids", () => {
  const load = [
    ...kept(conversation(true, "2026-01-31T12:00:00Z"), "base"),
    ...kept(conversation(true, "2026-01-31T12:00:01Z"), "head"),
  ];
  const rule = "legacy/created-at-is-stable";
  expect(judged(load, {}, ["base", "head"]).broken.map((one) => one.rule)).not.toContain(rule);
  // With one target it would be one conversation whose creation time changes.
  const mixed = load.map((one) => ({ ...one, side: "base" as const, session: "base1" }));
  expect(judged(mixed).broken.map((one) => one.rule)).toContain(rule);
});
