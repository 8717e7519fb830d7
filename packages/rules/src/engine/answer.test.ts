import { describe, expect, test } from "vitest";
import {
  hasMatches,
  isSuccessful,
  hasValidToken,
  didSearchRun,
  isUsable,
  isRefusedOrRedirected,
  describeResponse,
} from "./answer.ts";
import type { JudgedExchange } from "./rule.ts";
import { judgedBy } from "../testing/judge-streams.ts";
import type { ExchangeSketch } from "../testing/judge-streams.ts";
import { doneEvent, wireEvent } from "../testing/stream-report.ts";

function exchangeOf(sketch: ExchangeSketch): JudgedExchange {
  const [exchange] = judgedBy([], [sketch]).exchanges;
  if (exchange === undefined) {
    throw new Error("An exchange was judged.");
  }
  return exchange;
}

const found = wireEvent("matches", [{}]);
const final = wireEvent("progress", { done: true });

describe("an answer", () => {
  test.each([
    { status: 0, answered: false, turnedAway: false, settled: false },
    { status: 199, answered: false, turnedAway: false, settled: true },
    { status: 200, answered: true, turnedAway: false, settled: true },
    { status: 299, answered: true, turnedAway: false, settled: true },
    { status: 300, answered: false, turnedAway: true, settled: true },
    { status: 399, answered: false, turnedAway: true, settled: true },
    { status: 400, answered: false, turnedAway: false, settled: true },
    { status: 401, answered: false, turnedAway: true, settled: true },
    { status: 403, answered: false, turnedAway: true, settled: true },
    { status: 404, answered: false, turnedAway: false, settled: true },
    { status: 429, answered: false, turnedAway: false, settled: false },
    { status: 499, answered: false, turnedAway: false, settled: true },
    { status: 500, answered: false, turnedAway: false, settled: false },
    { status: 503, answered: false, turnedAway: false, settled: false },
  ])("of $status succeeds: $answered, turns away: $turnedAway, says something: $settled", (row) => {
    const exchange = exchangeOf({ status: row.status });
    expect([isSuccessful(exchange), isRefusedOrRedirected(exchange), isUsable(exchange)]).toEqual([
      row.answered,
      row.turnedAway,
      row.settled,
    ]);
  });

  test.each<{ name: string; sketch: ExchangeSketch; searched: boolean; matches: boolean }>([
    { name: "that delivered matches", sketch: { body: found }, searched: true, matches: true },
    { name: "that finished", sketch: { body: final }, searched: true, matches: false },
    { name: "that is empty", sketch: { body: "" }, searched: false, matches: false },
    { name: "without a stream", sketch: {}, searched: false, matches: false },
    { name: "with another status", sketch: { body: found + final, status: 404 }, searched: false, matches: true },
    { name: "that was cut short", sketch: { body: found + final, cutBy: "reset" }, searched: false, matches: true },
  ])("$name carries a search out: $searched", ({ sketch, searched, matches }) => {
    const exchange = exchangeOf(sketch);
    expect([didSearchRun(exchange), hasMatches(exchange)]).toEqual([searched, matches]);
  });

  test("that was cut short is not usable", () => {
    expect(isUsable(exchangeOf({ body: found, cutBy: "reset" }))).toBe(false);
  });

  test("that the recording cut short, or with a line above the limit, is not usable", () => {
    const whole = exchangeOf({ body: found + final });
    const limited = { ...whole, ...(whole.stream && { stream: { ...whole.stream, limit: "a long line" } }) };
    const unended = { ...whole, ...(whole.stream && { stream: { ...whole.stream, isComplete: false } }) };
    const end = { kind: "failed", code: "aborted", message: "aborted" } as const;
    const { stream: _, ...unanswered } = { ...whole, record: { ...whole.record, end } };
    expect(
      [whole, unanswered, limited, unended].map((exchange) => [isUsable(exchange), didSearchRun(exchange)]),
    ).toEqual([
      [true, true],
      [false, false],
      [false, false],
      [false, false],
    ]);
  });

  test.each([
    { credential: "access-token", authorised: true },
    { credential: "oauth-token", authorised: true },
    { credential: "none", authorised: false },
    { credential: "invalid-token", authorised: false },
    { credential: "unscoped-token", authorised: false },
  ] as const)("to $credential came to somebody who may ask: $authorised", ({ credential, authorised }) => {
    expect(hasValidToken(exchangeOf({ credential }))).toBe(authorised);
  });

  test.each<{ sketch: ExchangeSketch; came: string }>([
    { sketch: { status: 404, body: found }, came: "the response was 404" },
    { sketch: { status: 0 }, came: "the response was 0" },
    { sketch: {}, came: "the response had no events" },
    { sketch: { body: "" }, came: "the response had no events" },
    { sketch: { body: wireEvent("alert", {}) }, came: "the response had only alerts or errors" },
    { sketch: { body: doneEvent }, came: "the response had neither matches nor a final progress" },
  ])("is described in one clause: $came", ({ sketch, came }) => {
    expect(describeResponse(exchangeOf(sketch))).toBe(came);
  });
});
