import type { RuleId } from "@assay/contract";
import { describe, expect, test } from "vitest";
import type { TargetFacts } from "../index.ts";
import { judgeExchanges } from "../testing/judge-streams.ts";
import type { ExchangeSketch } from "../testing/judge-streams.ts";
import { doneEvent, wireEvent } from "../testing/stream-report.ts";

const q = "words";
const finished = wireEvent("progress", { done: true }) + doneEvent;
const found = wireEvent("matches", [{ type: "path" }, { type: "path" }]) + finished;
const accepted: ExchangeSketch = { query: { q }, body: found };

interface Row {
  readonly name: string;
  readonly rule: RuleId;
  readonly exchanges: readonly ExchangeSketch[];
  readonly access?: TargetFacts["access"];
  readonly observations: number;
  readonly messages?: readonly string[];
}

const asked = (query: Readonly<Record<string, string>>, answer: ExchangeSketch): readonly ExchangeSketch[] => [
  accepted,
  { query: { q, ...query }, ...answer },
];

describe("a rule about exchanges describes the response, and counts its observations", () => {
  test.each<Row>([
    {
      name: "a token that is refused",
      rule: "stream/oauth-token-is-accepted",
      exchanges: [accepted, { query: { q }, credential: "oauth-token", status: 401 }],
      observations: 1,
      messages: ["the OAuth token was not accepted: the response was 401"],
    },
    {
      name: "an access token that gets an empty answer",
      rule: "stream/access-token-is-accepted",
      exchanges: [
        { ...accepted, credential: "oauth-token" },
        { query: { q }, body: "" },
      ],
      observations: 1,
      messages: ["the access token was not accepted: the response had no events"],
    },
    {
      name: "a token that gets an error",
      rule: "stream/oauth-token-is-accepted",
      exchanges: [
        accepted,
        { query: { q }, credential: "oauth-token", body: wireEvent("error", {}) + doneEvent },
        { ...accepted, credential: "oauth-token" },
      ],
      observations: 2,
      messages: ["the OAuth token was not accepted: the response had only alerts or errors"],
    },
    {
      name: "a token that gets a search without an end",
      rule: "stream/oauth-token-is-accepted",
      exchanges: [accepted, { query: { q }, credential: "oauth-token", body: wireEvent("filters", []) + doneEvent }],
      observations: 1,
      messages: ["the OAuth token was not accepted: the response had neither matches nor a final progress"],
    },
    ...[300, 302, 399, 401, 403].map((status) => ({
      name: `a search without a token that is answered with ${status}`,
      rule: "stream/anonymous-search-is-accepted" as const,
      exchanges: [{ query: { q }, credential: "none" as const, status }],
      access: "public" as const,
      observations: 1,
      messages: [`a search without a token was not accepted: the response was ${status}`],
    })),
    ...[299, 400, 402, 404, 429, 500].map((status) => ({
      name: `a search without a token that is answered with ${status}`,
      rule: "stream/anonymous-search-is-accepted" as const,
      exchanges: [{ query: { q }, credential: "none" as const, status }],
      access: "public" as const,
      observations: 0,
    })),
    {
      name: "a search without a token that is carried out",
      rule: "stream/anonymous-search-is-accepted",
      exchanges: [
        { ...accepted, credential: "none" },
        { ...accepted, credential: "none", status: 299 },
      ],
      access: "public",
      observations: 2,
    },
    {
      name: "a search with a bad token that finds something",
      rule: "stream/invalid-token-is-refused",
      exchanges: [{ ...accepted, credential: "invalid-token" }],
      access: "private",
      observations: 1,
      messages: ["a search with a token that was never issued returned 2 matches"],
    },
    {
      name: "a search with the beginning of a token that finds something",
      rule: "stream/invalid-token-is-refused",
      exchanges: [{ ...accepted, credential: "shortened-token" }],
      access: "private",
      observations: 1,
      messages: ["a search with the beginning of a token returned 2 matches"],
    },
    {
      name: "a search without a token that finds something",
      rule: "stream/missing-token-is-refused",
      exchanges: [{ ...accepted, credential: "none" }],
      access: "private",
      observations: 1,
      messages: ["a search without a token returned 2 matches"],
    },
    {
      name: "a search without a token that finds nothing where another does",
      rule: "stream/missing-token-is-refused",
      exchanges: [accepted, { query: { q }, credential: "none", body: finished }],
      access: "private",
      observations: 1,
    },
    {
      name: "documented parameters that spoil a search",
      rule: "stream/documented-parameters-are-accepted",
      exchanges: asked({ cm: "true", t: "regexp" }, { status: 400 }),
      observations: 1,
      messages: ["a search that works without `cm=true&t=regexp` fails with it: the response was 400"],
    },
  ])("$rule: $name", ({ rule, exchanges, access, observations, messages = [] }) => {
    const outcome = judgeExchanges(exchanges, access).get(rule);
    expect(outcome?.observations).toBe(observations);
    expect(outcome?.findings.map(({ message }) => message)).toEqual(messages);
  });

  test("and in which exchange", () => {
    const exchanges = asked({ cm: "true" }, { status: 400 });
    const outcome = judgeExchanges(exchanges).get("stream/documented-parameters-are-accepted");
    expect(outcome?.findings).toEqual([
      {
        kind: "violation",
        exchange: "2",
        message: "a search that works without `cm=true` fails with it: the response was 400",
        code: "fails-with",
        argument: "cm",
      },
    ]);
  });
});

describe("a rule about exchanges tells why it has nothing to say", () => {
  test.each<{ name: string; rule: RuleId; exchanges: readonly ExchangeSketch[]; missing: string | undefined }>([
    {
      name: "without a token",
      rule: "stream/oauth-token-is-accepted",
      exchanges: [accepted],
      missing: "no search with an OAuth token (set ASSAY_OAUTH_TOKEN)",
    },
    {
      name: "where no token works",
      rule: "stream/oauth-token-is-accepted",
      exchanges: [{ query: { q }, credential: "oauth-token", status: 401 }],
      missing: "a token that the target accepts",
    },
    {
      name: "not where one works",
      rule: "stream/oauth-token-is-accepted",
      exchanges: [{ ...accepted, credential: "oauth-token" }],
      missing: undefined,
    },
  ])("$rule: $name", ({ rule, exchanges, missing }) => {
    const outcome = judgeExchanges(exchanges).get(rule);
    expect([outcome?.blockedBy?.missing, outcome?.blockedBy?.kind]).toEqual([missing, missing && "prerequisite"]);
  });

  test.each<{ rule: RuleId; access: TargetFacts["access"]; notApplicable: string | undefined }>([
    {
      rule: "stream/anonymous-search-is-accepted",
      access: "private",
      notApplicable: "needs --access public",
    },
    { rule: "stream/anonymous-search-is-accepted", access: "public", notApplicable: undefined },
    { rule: "stream/missing-token-is-refused", access: "public", notApplicable: "the target is public" },
    {
      rule: "stream/missing-token-is-refused",
      access: "undeclared",
      notApplicable: "needs --access private",
    },
    { rule: "stream/missing-token-is-refused", access: "private", notApplicable: undefined },
  ])("$rule on a target whose access is $access", ({ rule, access, notApplicable }) => {
    expect(judgeExchanges([], access).get(rule)?.notApplicable).toBe(notApplicable);
  });
});
