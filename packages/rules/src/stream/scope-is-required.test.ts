import { expect, test } from "vitest";
import type { TargetFacts } from "../index.ts";
import { judgeExchanges } from "../testing/judge-streams.ts";
import type { ExchangeSketch } from "../testing/judge-streams.ts";
import { doneEvent, wireEvent } from "../testing/stream-report.ts";

const query = { q: "test" };
const found = wireEvent("matches", [{ type: "path" }, { type: "path" }]) + doneEvent;
const problem = wireEvent("error", { message: "scope" }) + doneEvent;
const answered: ExchangeSketch = { query, body: found };
const unscoped = (sketch: ExchangeSketch): ExchangeSketch => ({ query, credential: "unscoped-token", ...sketch });
const missing = "no search with a token that lacks the scope (set ASSAY_UNSCOPED_TOKEN or ASSAY_UNSCOPED_OAUTH_TOKEN)";

test.each<{ name: string; exchanges: readonly ExchangeSketch[]; observations: number; messages: readonly string[] }>([
  {
    name: "holds when it is forbidden",
    exchanges: [answered, unscoped({ status: 403 })],
    observations: 1,
    messages: [],
  },
  {
    name: "holds when the answer has no match",
    exchanges: [answered, unscoped({ body: problem })],
    observations: 1,
    messages: [],
  },
  {
    name: "is broken by matches",
    exchanges: [answered, unscoped({ body: found })],
    observations: 1,
    messages: ["a search with a token that lacks the scope returned 2 matches"],
  },
  {
    name: "is broken by matches for an OAuth token, too",
    exchanges: [answered, unscoped({ status: 403 }), unscoped({ body: found, credential: "unscoped-oauth-token" })],
    observations: 2,
    messages: ["a search with a token that lacks the scope returned 2 matches"],
  },
  {
    name: "is not observed for a search that finds nothing anyway",
    exchanges: [{ query, body: problem }, unscoped({ status: 403 })],
    observations: 0,
    messages: [],
  },
])("the rule $name", ({ exchanges, observations, messages }) => {
  const outcome = judgeExchanges(exchanges, "private").get("stream/scope-is-required");
  expect(outcome?.findings.map(({ message }) => message)).toEqual(messages);
  expect(outcome).toMatchObject({ observations });
  expect(outcome?.blockedBy).toBeUndefined();
});

test("without such a search the rule says what is missing, and the rules like it do not", () => {
  const outcomes = judgeExchanges([answered], "private");
  const blockOf = (id: "stream/scope-is-required" | "stream/missing-token-is-refused") => outcomes.get(id)?.blockedBy;
  expect(blockOf("stream/scope-is-required")).toEqual({ kind: "prerequisite", missing });
  expect(blockOf("stream/missing-token-is-refused")).toBeUndefined();
});

test("when the target was in distress the rule says what came, and asks for no token", () => {
  const outcome = judgeExchanges([answered, unscoped({ status: 503 })], "private").get("stream/scope-is-required");
  const blockedBy = {
    kind: "transport",
    missing: "a usable response to the search with a token that lacks the scope (the response was 503)",
  };
  expect(outcome).toMatchObject({ observations: 0, blockedBy });
});

test.each<{ access: TargetFacts["access"]; reason: RegExp }>([
  { access: "public", reason: /^the target is public$/u },
  { access: "undeclared", reason: /needs --access private/u },
])("the rule does not apply to a target whose access is $access", ({ access, reason }) => {
  const outcome = judgeExchanges([answered, unscoped({ body: found })], access).get("stream/scope-is-required");
  expect(outcome).toMatchObject({ observations: 0, findings: [], notApplicable: expect.stringMatching(reason) });
});
