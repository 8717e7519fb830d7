/** @module-tag proof */

import { join } from "node:path";
import { drawSample } from "@assay/tools/proving";
import { isConversationRuleId, ruleIds as allRuleIds } from "@assay/contract";
import { readBundle, recordDraft } from "@assay/evidence";
import type { Bundle, RecordedExchange } from "@assay/evidence";
import { variedAnswer } from "@assay/reference-server";
import type { RunResult } from "@assay/results";
import { createTimelines } from "@assay/runner";
import { beforeAll, describe, expect, test } from "vitest";
import { sharedRepository } from "../testing/git-repository.ts";
import { serverHost, unhurried } from "../testing/hosted-server.ts";
import { judgedSeed } from "../testing/judged-seed.ts";
import { judgeServer } from "../testing/run-in-process.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";

const folder = temporaryFolder();
const startServer = serverHost();
const ruleIds = allRuleIds.filter((id) => isConversationRuleId(id));

let run: readonly RecordedExchange[] = [];
let recorded: { readonly bundle: Bundle; readonly result: RunResult };

const bodyOf = (exchange: RecordedExchange): Buffer => Buffer.concat([...exchange.chunks()].map(({ bytes }) => bytes));

beforeAll(async () => {
  const server = await startServer({ repos: [sharedRepository()], seed: 1, vocabulary: "observed", ...unhurried });
  const out = join(folder, "run");
  const { result } = await judgeServer(server, { out, sharing: "on", interface: ["legacy", "current"] });
  await server.close();
  recorded = { bundle: await readBundle(out), result };
  run = recorded.bundle.exchanges;
});

/** JSON of a response; undefined if it is not JSON. */
function jsonOf(exchange: RecordedExchange): unknown {
  try {
    return JSON.parse(bodyOf(exchange).toString());
  } catch {
    // A refusal may be plain text, which is not varied.
    return undefined;
  }
}

/** An exchange with a response in another permitted form, by the server of this seed. */
function varied(exchange: RecordedExchange, seed: number): RecordedExchange {
  const { record } = exchange;
  const json = jsonOf(exchange);
  const { response, interface: name, operation } = record;
  if (json === undefined || response === undefined || name === "stream" || name === "reference") {
    return exchange;
  }
  const { status } = response;
  const answer = variedAnswer(json, { interface: name, operation, status }, seed, record.id);
  const headers = [...response.headers.filter(([header]) => header !== "content-type"), ...answer.headers];
  const chunks = [{ bytes: answer.body, atMicros: record.times.endedAtMicros }];
  return recordDraft({ ...record, response: { status: answer.status, headers, chunks } });
}

/** A failing seed alone: `ASSAY_VARIATION_SEED=123 npx vitest run src/e2e/conversation-variations.proof.test.ts`. */
const only = process.env["ASSAY_VARIATION_SEED"];
const allSeeds = Array.from({ length: 500 }, (_, seed) => seed);
const tried = drawSample(allSeeds, 10);
const seeds = only === undefined ? tried : [Number(only)];

describe("the conversations of a real run, answered again in every freedom that the document leaves", () => {
  test("are those of both interfaces, with every operation", () => {
    const operations = new Set(run.map(({ record }) => `${record.interface} ${record.operation}`));
    const wanted = ["create", "get", "list", "follow-up", "cancel", "delete"];
    const all = ["legacy", "current"].flatMap((name) => wanted.map((operation) => `${name} ${operation}`));
    expect(all.filter((operation) => !operations.has(operation))).toEqual([]);
  });

  test(`break no rule, with ${seeds.length} seeds, and show nearly all of them`, () => {
    const judged = seeds.map((seed) =>
      judgedSeed(
        run.map((exchange) => varied(exchange, seed)),
        ruleIds,
        seed,
      ),
    );
    expect(judged.flatMap(({ broken }) => broken).slice(0, 20)).toEqual([]);
    const seen = new Set(judged.flatMap((one) => one.seen));
    // The server of the recorded run shares conversations.
    // The reference is no answer of a conversation, so that it is not varied here.
    const ofReference = ["current/openapi-schema-is-served", "current/openapi-schema-describes-operations"];
    const unseen = new Set<string>(["legacy/unshared-conversation-is-hidden", ...ofReference]);
    const needed: readonly string[] = ruleIds.filter((id) => only === undefined && !unseen.has(id));
    expect(needed.filter((id) => !seen.has(id))).toEqual([]);
  });

  test("draw no step between states that the specifications do not allow", () => {
    const edges = seeds.slice(0, 20).flatMap((seed) => {
      const exchanges = run.map((exchange) => varied(exchange, seed));
      return createTimelines({ ...recorded.bundle, exchanges }, recorded.result).diagrams.flatMap(
        (diagram) => diagram.edges,
      );
    });
    expect(edges.filter(({ seen }) => seen > 0).length).toBeGreaterThan(0);
    expect(edges.filter(({ standing, seen }) => standing === "not-allowed" && seen > 0)).toEqual([]);
  });

  test("are not the same twice", () => {
    const some = seeds.slice(0, 20);
    const texts = new Set(some.map((seed) => run.map((one) => bodyOf(varied(one, seed)).toString()).join("")));
    expect(texts.size).toBe(some.length);
  });
});
