import type { RuleId } from "@assay/contract";
import { unissuedTokens } from "@assay/evidence";
import type { CredentialKind } from "@assay/evidence";
import { describe, expect, test } from "vitest";
import type { TargetFacts } from "../index.ts";
import { failedRuleIds, judgedBy, judgeExchanges } from "../testing/judge-streams.ts";
import type { ExchangeSketch } from "../testing/judge-streams.ts";

const found =
  'event: matches\ndata: [{"type":"path"},{"type":"path"},{"type":"path"}]\n\nevent: progress\ndata: {"done":true,"matchCount":3,"durationMs":1,"skipped":[],"repositoriesCount":1}\n\nevent: done\ndata: {}\n\n';
const nothing =
  'event: progress\ndata: {"done":true,"matchCount":0,"durationMs":1,"skipped":[]}\n\nevent: done\ndata: {}\n\n';
const problem = 'event: error\ndata: {"message":"no"}\n\nevent: done\ndata: {}\n\n';
const q = "test";
const answered: ExchangeSketch = { query: { q }, body: found };

/** The outcome of a rule in one word, and its reason. */
function verdict(id: RuleId, exchanges: readonly ExchangeSketch[], access?: TargetFacts["access"]): string {
  const outcome = judgeExchanges(exchanges, access).get(id);
  const { observations = 0, findings = [], blockedBy } = outcome ?? {};
  const words: readonly (readonly [string, boolean])[] = [
    ["not applicable", outcome?.notApplicable !== undefined],
    ["broken", findings.some(({ kind }) => kind === "violation")],
    [`missing: ${blockedBy?.missing}`, blockedBy !== undefined],
    ["holds", observations > 0],
  ];
  return words.find(([, applies]) => applies)?.[0] ?? "not observed";
}

describe.each<{
  id: RuleId;
  credential: "access-token" | "oauth-token";
  other: "access-token" | "oauth-token";
  missing: string;
  name: string;
}>([
  {
    id: "stream/access-token-is-accepted",
    credential: "access-token",
    other: "oauth-token",
    missing: "missing: no search with an access token (set ASSAY_TOKEN)",
    name: "access token",
  },
  {
    id: "stream/oauth-token-is-accepted",
    credential: "oauth-token",
    other: "access-token",
    missing: "missing: no search with an OAuth token (set ASSAY_OAUTH_TOKEN)",
    name: "OAuth token",
  },
])("$id", ({ id, credential, other, missing, name: called }) => {
  test.each<{ name: string; exchanges: readonly ExchangeSketch[]; is: string }>([
    { name: "holds when the token is accepted", exchanges: [{ ...answered, credential }], is: "holds" },
    {
      name: "is broken when it is refused and another is accepted",
      exchanges: [
        { query: { q }, credential, status: 401 },
        { ...answered, credential: other },
      ],
      is: "broken",
    },
    {
      name: "is broken when it is forbidden and another is accepted",
      exchanges: [
        { query: { q }, credential, status: 403 },
        { ...answered, credential: other },
      ],
      is: "broken",
    },
    {
      name: "is broken when it is sent to a login and another is accepted",
      exchanges: [
        { query: { q }, credential, status: 302 },
        { ...answered, credential: other },
      ],
      is: "broken",
    },
    {
      name: "is broken when the search is not found for it alone",
      exchanges: [
        { query: { q }, credential, status: 404 },
        { ...answered, credential: other },
      ],
      is: "broken",
    },
    {
      name: "is broken when it gets only an error where another gets a search",
      exchanges: [
        { query: { q }, credential, body: problem },
        { ...answered, credential: other },
      ],
      is: "broken",
    },
    {
      name: "is broken when it gets an empty answer where another gets a search",
      exchanges: [
        { query: { q }, credential, body: "" },
        { ...answered, credential: other },
      ],
      is: "broken",
    },
    {
      name: "says nothing when the query fails for all",
      exchanges: [
        { query: { q }, credential, body: problem },
        { query: { q }, credential: other, body: problem },
      ],
      is: "missing: a token that the target accepts",
    },
    {
      name: "says nothing of an answer that was cut short",
      exchanges: [
        { query: { q }, credential, body: "", cutBy: "reset" },
        { ...answered, credential: other },
      ],
      is: `missing: a usable response to the search with an ${called} (the response is not complete)`,
    },
    {
      name: "says nothing when all tokens are refused",
      exchanges: [{ query: { q }, credential, status: 401 }],
      is: "missing: a token that the target accepts",
    },
    {
      name: "says nothing when only an anonymous search is accepted",
      exchanges: [
        { query: { q }, credential, status: 401 },
        { ...answered, credential: "none" },
      ],
      is: "missing: a token that the target accepts",
    },
    {
      name: "says nothing of a target in distress",
      exchanges: [
        { query: { q }, credential, status: 503 },
        { ...answered, credential: other },
      ],
      is: `missing: a usable response to the search with an ${called} (the response was 503)`,
    },
    {
      name: "says nothing of a target that is too busy for anybody",
      exchanges: [{ query: { q }, credential, status: 429 }],
      is: `missing: a usable response to the search with an ${called} (the response was 429)`,
    },
    {
      name: "says nothing of a token that is refused once it was asked again",
      exchanges: [
        { query: { q }, credential, status: 429 },
        { query: { q }, credential, status: 401 },
      ],
      is: "missing: a token that the target accepts",
    },
    { name: "says nothing without such a token", exchanges: [{ ...answered, credential: other }], is: missing },
  ])("$name", ({ exchanges, is }) => {
    expect(verdict(id, exchanges)).toBe(is);
  });
});

describe.each<{ id: RuleId; credential: CredentialKind; came: string }>([
  { id: "stream/missing-token-is-refused", credential: "none", came: "without a token" },
  ...unissuedTokens.map((credential) => ({
    id: "stream/invalid-token-is-refused" as const,
    credential,
    came: "with a token that was never issued",
  })),
])("$id", ({ id, credential, came }) => {
  test.each<{ name: string; exchanges: readonly ExchangeSketch[]; access?: TargetFacts["access"]; is: string }>([
    {
      name: "holds when the search is refused",
      exchanges: [answered, { query: { q }, credential, status: 401 }],
      access: "private",
      is: "holds",
    },
    {
      name: "holds when it is answered without a match, however it is refused",
      exchanges: [answered, { query: { q }, credential, body: problem }],
      access: "private",
      is: "holds",
    },
    {
      name: "is broken when matches are delivered",
      exchanges: [answered, { query: { q }, credential, body: found }],
      access: "private",
      is: "broken",
    },
    {
      name: "is not observed when the query finds nothing anyway",
      exchanges: [
        { query: { q }, body: nothing },
        { query: { q }, credential, body: nothing },
      ],
      access: "private",
      is: "not observed",
    },
    {
      name: "is not observed when another query was sent",
      exchanges: [answered, { query: { q: "other" }, credential, status: 401 }],
      access: "private",
      is: "not observed",
    },
    {
      name: "says what came when the target was in distress",
      exchanges: [answered, { query: { q }, credential, status: 503 }],
      access: "private",
      is: `missing: a usable response to the search ${came} (the response was 503)`,
    },
    {
      name: "is broken by matches even when nobody with a token asked",
      exchanges: [{ query: { q }, credential, body: found }],
      access: "private",
      is: "broken",
    },
    {
      name: "says so when the answer was cut before a match",
      exchanges: [answered, { query: { q }, credential, body: "event: progress\ndata: {}\n\n", cutBy: "reset" }],
      access: "private",
      is: `missing: a usable response to the search ${came} (the response is not complete)`,
    },
    {
      name: "does not apply to a public target",
      exchanges: [answered, { query: { q }, credential, body: found }],
      access: "public",
      is: "not applicable",
    },
    {
      name: "does not apply when nobody said what the target is",
      exchanges: [answered, { query: { q }, credential, body: found }],
      is: "not applicable",
    },
  ])("$name", ({ exchanges, access, is }) => {
    expect(verdict(id, exchanges, access)).toBe(is);
  });
});

describe("access that nobody declared", () => {
  const anonymous = { query: { q }, credential: "none" } as const;
  const invalid = { query: { q }, credential: "invalid-token" } as const;

  test.each<{ name: string; answers: readonly Partial<ExchangeSketch>[]; is: "private" | "public" | undefined }>([
    { name: "a refusal", answers: [{ status: 401 }], is: "private" },
    { name: "a redirect to a login", answers: [{ status: 302 }], is: "private" },
    { name: "matches", answers: [{ body: found }], is: "public" },
    { name: "a stream without matches", answers: [{ body: nothing }], is: undefined },
    { name: "an alert", answers: [{ body: problem }], is: undefined },
    { name: "a server error", answers: [{ status: 503 }], is: undefined },
    { name: "a request to come back later", answers: [{ status: 429 }], is: undefined },
    { name: "answers that do not agree", answers: [{ status: 401 }, { body: found }], is: undefined },
    { name: "nothing sent", answers: [], is: undefined },
  ])("is found from $name: $is", ({ answers, is }) => {
    const sent = answers.map((answer) => ({ ...anonymous, ...answer }));
    expect(judgedBy([], [answered, ...sent]).foundAccess).toBe(is);
    expect(judgedBy([], [answered, ...sent], "private").foundAccess).toBeUndefined();
  });

  test("is not found from a query that finds nothing", () => {
    expect(
      judgedBy(
        [],
        [
          { query: { q }, body: nothing },
          { ...anonymous, status: 401 },
        ],
      ).foundAccess,
    ).toBeUndefined();
  });

  test("judges other bad tokens once a search without a token was refused, and not that refusal itself", () => {
    const exchanges = [answered, { ...anonymous, status: 401 }, { ...invalid, body: found }];
    expect(verdict("stream/invalid-token-is-refused", exchanges)).toBe("broken");
    expect(verdict("stream/missing-token-is-refused", exchanges)).toBe("not applicable");
  });

  test("fails no rule where a search without a token was answered", () => {
    const exchanges = [answered, { ...anonymous, body: found }, { ...invalid, body: found }];
    expect(failedRuleIds(judgeExchanges(exchanges))).toEqual([]);
  });
});

describe("stream/anonymous-search-is-accepted", () => {
  test.each<{ name: string; exchanges: readonly ExchangeSketch[]; access: TargetFacts["access"]; is: string }>([
    {
      name: "holds when the search is answered",
      exchanges: [{ query: { q }, credential: "none", body: nothing }],
      access: "public",
      is: "holds",
    },
    {
      name: "is broken when it is refused",
      exchanges: [{ query: { q }, credential: "none", status: 401 }],
      access: "public",
      is: "broken",
    },
    {
      name: "is broken when it is sent to a login",
      exchanges: [{ query: { q }, credential: "none", status: 302 }],
      access: "public",
      is: "broken",
    },
    {
      name: "is broken by an error where a token gets a search",
      exchanges: [answered, { query: { q }, credential: "none", body: problem }],
      access: "public",
      is: "broken",
    },
    {
      name: "says nothing of an error when nobody with a token asked",
      exchanges: [{ query: { q }, credential: "none", body: problem }],
      access: "public",
      is: "not observed",
    },
    {
      name: "is not observed without a response",
      exchanges: [{ query: { q }, credential: "none", status: 0 }],
      access: "public",
      is: "not observed",
    },
    {
      name: "does not apply to a private target",
      exchanges: [{ query: { q }, credential: "none", status: 401 }],
      access: "private",
      is: "not applicable",
    },
  ])("$name", ({ exchanges, access, is }) => {
    expect(verdict("stream/anonymous-search-is-accepted", exchanges, access)).toBe(is);
  });
});

describe("stream/documented-parameters-are-accepted", () => {
  const asked = (query: Readonly<Record<string, string>>, answer: ExchangeSketch): readonly ExchangeSketch[] => [
    answered,
    { query: { q, ...query }, ...answer },
  ];
  test.each<{ name: string; exchanges: readonly ExchangeSketch[]; is: string }>([
    { name: "holds when the search goes as without it", exchanges: asked({ v: "V3" }, { body: found }), is: "holds" },
    { name: "holds when it finds nothing", exchanges: asked({ t: "regexp" }, { body: nothing }), is: "holds" },
    { name: "is broken by an error", exchanges: asked({ cm: "true" }, { body: problem }), is: "broken" },
    { name: "is broken by a status", exchanges: asked({ display: "5" }, { status: 400 }), is: "broken" },
    {
      name: "is broken by a stream of done alone",
      exchanges: asked({ cm: "true" }, { body: "event: done\ndata: {}\n\n" }),
      is: "broken",
    },
    { name: "is broken by an empty answer", exchanges: asked({ cm: "true" }, { body: "" }), is: "broken" },
    {
      name: "says nothing of a value that is not documented",
      exchanges: asked({ t: "structural" }, { body: problem }),
      is: "not observed",
    },
    {
      name: "says nothing of a parameter that is not documented",
      exchanges: asked({ sm: "1" }, { body: problem }),
      is: "not observed",
    },
    {
      name: "says nothing of a target in distress",
      exchanges: asked({ cm: "true" }, { status: 503 }),
      is: "not observed",
    },
    {
      name: "says nothing of a stream that was cut short",
      exchanges: asked({ cm: "true" }, { body: problem, cutBy: "reset" }),
      is: "not observed",
    },
    {
      name: "says nothing of a query that fails without it",
      exchanges: [
        { query: { q }, body: problem },
        { query: { q, cm: "true" }, body: problem },
      ],
      is: "not observed",
    },
    {
      name: "says nothing when another user asked",
      exchanges: [
        { ...answered, credential: "oauth-token" },
        { query: { q, cm: "true" }, body: problem },
      ],
      is: "not observed",
    },
  ])("$name", ({ exchanges, is }) => {
    expect(verdict("stream/documented-parameters-are-accepted", exchanges)).toBe(is);
  });
});

describe("stream/display-bounds-matches", () => {
  test.each<{ name: string; display: string; is: string }>([
    { name: "holds at the limit", display: "3", is: "holds" },
    { name: "is broken above it", display: "2", is: "broken" },
    { name: "leaves open what zero means", display: "0", is: "not observed" },
    { name: "asks nothing of no limit", display: "-1", is: "not observed" },
    { name: "asks nothing of what is not a number", display: "many", is: "not observed" },
  ])("$name", ({ display, is }) => {
    expect(verdict("stream/display-bounds-matches", [{ query: { q, display }, body: found }])).toBe(is);
  });

  test("counts over all events and points to the first match too many", () => {
    const body = found.replace("event: progress", 'event: matches\ndata: [{"type":"path"}]\n\nevent: progress');
    const outcome = judgeExchanges([{ query: { q, display: "3" }, body }]).get("stream/display-bounds-matches");
    expect(outcome?.findings).toMatchObject([
      { message: "4 matches were returned although `display` is 3", event: 1, pointer: "/0" },
    ]);
  });
});
