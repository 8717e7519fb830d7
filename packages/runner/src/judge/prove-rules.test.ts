import { Buffer } from "node:buffer";
import { recordDraft } from "@assay/evidence";
import type { RecordedExchange } from "@assay/evidence";
import { allRules } from "@assay/rules";
import type { Rule } from "@assay/rules";
import { expect, test } from "vitest";
import { judgeExchanges } from "./judge-exchanges.ts";

const stream = (id: string, matches = 1): RecordedExchange =>
  recordDraft({
    id,
    probe: "search",
    interface: "stream",
    operation: "search",
    credential: "access-token",
    request: { method: "GET", url: "http://127.0.0.1:1/.api/search/stream?q=test", headers: [] },
    response: {
      status: 200,
      headers: [],
      chunks: [
        {
          bytes: Buffer.from(
            `event: matches\ndata: ${JSON.stringify(Array.from({ length: matches }, () => ({ type: "repo" })))}\n\nevent: progress\ndata: {"done":true,"repositoriesCount":1,"matchCount":${matches},"durationMs":1}\n\nevent: done\ndata: {}\n\n`,
          ),
          atMicros: 10,
        },
      ],
    },
    end: { kind: "complete" },
    times: { sentAtMicros: 0, endedAtMicros: 20 },
  });

const verdictOf = (exchanges: readonly RecordedExchange[], rule: Rule) =>
  judgeExchanges({
    exchanges,
    settings: { rules: [rule.id], mustTest: [], strict: false, access: "undeclared" },
    tool: { name: "assay", version: "0.0.0" },
    run: { id: "a", startedAt: "", target: "", embedded: false, profile: "gate", seed: 1, strict: false },
    rules: [rule],
    confirmsPasses: true,
  }).verdicts[0];

const doneIsLast = allRules.find(({ id }) => id === "stream/done-is-last");
const accepted = allRules.find(({ id }) => id === "stream/access-token-is-accepted");

test("a rule that passed has its proof", () => {
  const verdict = doneIsLast === undefined ? undefined : verdictOf([stream("1")], doneIsLast);
  expect(verdict?.verdict.outcome).toBe("passed");
  expect(verdict?.proof?.map(({ confirmed }) => confirmed?.exchange)).toEqual(["1", "1", "1"]);
});

test("a rule that passed on a stream closed after `done` has its proof", () => {
  const { record, chunks } = stream("1");
  const end = { kind: "failed", code: "truncated", message: "closed" } as const;
  const verdict =
    doneIsLast === undefined ? undefined : verdictOf([{ record: { ...record, end }, chunks }], doneIsLast);
  expect([verdict?.verdict.outcome, verdict?.proof?.every(({ confirmed }) => confirmed !== undefined)]).toEqual([
    "passed",
    true,
  ]);
});

test.each(["closed after `done`", "left open after `done`"])("a response that is %s is noticed", (what) => {
  const rule = allRules.find(({ id }) => id === "stream/response-ends-after-done");
  const proof = rule === undefined ? [] : verdictOf([stream("1")], rule)?.proof;
  expect(proof?.map(({ confirmed }) => confirmed?.what)).toContain(
    what.startsWith("left") ? "left the response open after `done`" : "closed the connection after `done`",
  );
});

test("a rule that no edit makes fail was not observed", () => {
  const silent: Rule = {
    needs: "stream",
    id: "stream/one-final-progress",
    open: () => ({ events: new Map([["progress", (_, report) => report.observation()]]), match: undefined }),
  };
  expect(verdictOf([stream("1")], silent)?.verdict).toEqual({
    outcome: "not-tested",
    reason: "a target that sends the final progress twice would have passed as well; needs a whole search",
  });
});

test("a rule that throws on edited evidence passes, and has no proof", () => {
  let asked = 0;
  const throwing: Rule = {
    needs: "exchanges",
    id: "stream/access-token-is-accepted",
    check(exchanges, reportFor) {
      asked += 1;
      if (asked > 1) {
        throw new Error("not again");
      }
      reportFor(exchanges[0]?.record.id ?? "").observation();
    },
  };
  const verdict = verdictOf([stream("1")], throwing);
  expect(asked).toBeGreaterThan(1);
  expect([verdict?.verdict.outcome, verdict?.proof]).toEqual(["passed", undefined]);
});

test("a stream too large to be edited costs a rule its proof, and not its verdict", () => {
  const verdict = doneIsLast === undefined ? undefined : verdictOf([stream("1", 700_000)], doneIsLast);
  expect([verdict?.verdict.outcome, verdict?.proof]).toEqual(["passed", undefined]);
});

test("what was not edited is taken as it was judged", () => {
  const verdict = accepted === undefined ? undefined : verdictOf([stream("1"), stream("2")], accepted);
  expect(verdict?.verdict).toMatchObject({ outcome: "passed", observations: 2 });
  expect(verdict?.proof?.[0]?.confirmed?.exchange).toBe("1");
});
