import type { RuleId } from "@assay/contract";
import { failureCodes, recordDraft } from "@assay/evidence";
import type { UnsentProbe } from "@assay/evidence";
import type { RuleOutcome } from "@assay/rules";
import { acceptedTokenPrerequisite } from "@assay/rules";
import { describe, expect, test } from "vitest";
import { draftOf, recorded } from "../testing/recorded.ts";
import type { ExchangeSketch } from "../testing/recorded.ts";
import { resultOf } from "../testing/result-of.ts";
import { adjustOutcomes, addReasons } from "./not-tested-reasons.ts";

const untested: RuleOutcome = { observations: 0, findings: [], droppedViolations: 0 };
const saw: RuleOutcome = { ...untested, observations: 2 };
const blames = (missing: string): RuleOutcome => ({ ...untested, blockedBy: { kind: "prerequisite", missing } });
const asksForToken = blames("a list with a token (set ASSAY_READ_TOKEN)");
const cut: RuleOutcome = {
  ...untested,
  blockedBy: { kind: "transport", missing: "a response to list other than 500" },
};

const unsent = (
  probe: string,
  cause: UnsentProbe["cause"],
  name: UnsentProbe["interface"] = "current",
): UnsentProbe => ({ interface: name, probe, cause, reason: `the reason is ${cause}` });

/** The kind of `blockedBy` and the missing part; the observations of the rule if it is not blocked. */
const said = (rule: RuleId, outcome: RuleOutcome, probes: readonly UnsentProbe[]): string => {
  const { blockedBy, observations } =
    adjustOutcomes({ rules: [rule] }, new Map([[rule, outcome]]), probes).get(rule) ?? untested;
  return blockedBy === undefined ? `seen ${observations}` : `${blockedBy.kind}: ${blockedBy.missing}`;
};

const left = (kind: string, cause: string): string => `${kind}: requests that were not sent (the reason is ${cause})`;

test.each<{
  name: string;
  rule: RuleId;
  outcome: RuleOutcome;
  probes: readonly UnsentProbe[];
  says: string;
}>([
  {
    name: "a rule that saw nothing because the target was too busy could not run",
    rule: "current/follow-up-is-accepted",
    outcome: untested,
    probes: [unsent("follow-up", "busy")],
    says: left("transport", "busy"),
  },
  {
    name: "a quota that is used up is a limit",
    rule: "current/cancel-is-accepted",
    outcome: untested,
    probes: [unsent("cancel", "quota")],
    says: left("limit", "quota"),
  },
  {
    name: "a budget is something that people can give",
    rule: "current/cancel-is-accepted",
    outcome: untested,
    probes: [unsent("cancel", "budget")],
    says: left("prerequisite", "budget"),
  },
  {
    name: "the most severe of several reasons is reported",
    rule: "current/follow-up-is-accepted",
    outcome: untested,
    probes: [unsent("follow-up", "other"), unsent("create", "busy")],
    says: left("transport", "busy"),
  },
  {
    name: "a probe that was not skipped by choice leaves a rule without an observation",
    rule: "current/follow-up-is-accepted",
    outcome: untested,
    probes: [unsent("follow-up", "other"), unsent("follow-up-poll", "token")],
    says: "seen 0",
  },
  {
    name: "a rule that saw something says what it saw",
    rule: "current/responses-fit-openapi",
    outcome: saw,
    probes: [unsent("follow-up", "busy")],
    says: "seen 2",
  },
  {
    name: "a probe of the other interface is nothing to it",
    rule: "current/follow-up-is-accepted",
    outcome: untested,
    probes: [unsent("follow-up", "busy", "legacy")],
    says: "seen 0",
  },
  {
    name: "a probe that it does not need is nothing to it",
    rule: "current/name-is-stable",
    outcome: untested,
    probes: [unsent("read-token-write", "busy")],
    says: "seen 0",
  },
  {
    name: "a rule that asks for a token that was given says what kept it back",
    rule: "current/read-scope-may-read",
    outcome: asksForToken,
    probes: [unsent("read-token", "other")],
    says: left("prerequisite", "other"),
  },
  {
    name: "also where a question was declined",
    rule: "current/read-scope-may-not-write",
    outcome: asksForToken,
    probes: [unsent("read-token-write", "busy")],
    says: left("transport", "busy"),
  },
  {
    name: "a rule that asks for a token that was not given goes on asking for it",
    rule: "current/read-scope-may-not-write",
    outcome: asksForToken,
    probes: [unsent("read-token-write", "token"), unsent("create", "budget")],
    says: "prerequisite: a list with a token (set ASSAY_READ_TOKEN)",
  },
  {
    name: "a token that was tried and turned away is still what is missing",
    rule: "current/access-token-is-accepted",
    outcome: blames(acceptedTokenPrerequisite),
    probes: [unsent("poll", "other")],
    says: `prerequisite: ${acceptedTokenPrerequisite}`,
  },
  {
    name: "an answer that broke off is still what is missing",
    rule: "current/list-is-accepted",
    outcome: cut,
    probes: [unsent("create", "busy")],
    says: "transport: a response to list other than 500",
  },
  {
    name: "a search that was held back is no search that nobody made possible",
    rule: "stream/oauth-token-is-accepted",
    outcome: blames("no search with an OAuth token (set ASSAY_OAUTH_TOKEN)"),
    probes: [unsent("oauth-token", "busy", "stream")],
    says: left("transport", "busy"),
  },
  {
    name: "a search with another credential is nothing to it",
    rule: "stream/oauth-token-is-accepted",
    outcome: asksForToken,
    probes: [unsent("unscoped-token", "busy", "stream")],
    says: "prerequisite: a list with a token (set ASSAY_READ_TOKEN)",
  },
])("$name", ({ rule, outcome, probes, says }) => {
  expect(said(rule, outcome, probes)).toBe(says);
});

test("a rule that does not apply is left alone", () => {
  const rule = "stream/anonymous-search-is-accepted";
  const excluded = { ...untested, notApplicable: "the target is private" };
  const accounted = adjustOutcomes({ rules: [rule] }, new Map([[rule, excluded]]), [
    unsent("no-token", "busy", "stream"),
  ]);
  expect(accounted.get(rule)).toEqual(excluded);
});

test("a rule of which nothing was said could not run either, and only selected rules are spoken of", () => {
  const accounted = adjustOutcomes({ rules: ["legacy/cancel-is-accepted"] }, new Map(), [
    unsent("cancel", "busy", "legacy"),
  ]);
  expect([...accounted.keys()]).toEqual(["legacy/cancel-is-accepted"]);
});

test("what stands in a file is shown without its control characters", () => {
  const probe = { ...unsent("cancel", "busy"), reason: "\u001B[2J" };
  expect(said("current/cancel-is-accepted", untested, [probe])).not.toContain("\u001B");
});

test("no verdict is not observed without a reason", () => {
  const { verdicts } = resultOf([recorded({ body: "event: done\ndata: {}\n\n" })]);
  const notTested = verdicts.flatMap(({ verdict }) => (verdict.outcome === "not-tested" ? [verdict.reason] : []));
  expect(notTested.length).toBeGreaterThan(5);
  expect(notTested).not.toContain(undefined);
});

test("of streams that none came to its end no other query is asked for", () => {
  const { verdicts } = resultOf([recorded({ body: 'event: progress\ndata: {"done":true,"matchCount":0}\n\n' })]);
  const reasons = verdicts.flatMap(({ rule, verdict }) =>
    rule === "stream/done-is-an-empty-object" && verdict.outcome === "not-tested" ? [verdict.reason] : [],
  );
  expect(reasons).toEqual([expect.stringMatching(/^no stream ended with `done`, which every stream must have/u)]);
});

/** Rules that were not tested, with the reason. */
const untestedIn = ({ verdicts }: Pick<ReturnType<typeof resultOf>, "verdicts">) =>
  verdicts.flatMap(({ rule, verdict }) =>
    verdict.outcome === "not-tested" ? [{ rule, reason: verdict.reason ?? "" }] : [],
  );

const failed = (code: NonNullable<ExchangeSketch["failure"]>["code"]): ExchangeSketch => ({
  status: 0,
  failure: { code, message: `the connection ended with ${code}` },
});

describe("if the target gives no answer of the API", () => {
  const sketches: readonly (readonly [name: string, sketch: ExchangeSketch])[] = [
    ...failureCodes.map((code) => [`the connection ends with ${code}`, failed(code)] as const),
    ["it refuses the token", { status: 401 }],
    ["it has no such path", { status: 404, headers: [["content-type", "text/plain"]] }],
    ["it is busy", { status: 503 }],
    ["it redirects to another place", { status: 302, headers: [["location", "https://login.example"]] }],
    ["it shows a page", { headers: [["content-type", "text/html"]], body: "<!doctype html><p>Log in</p>" }],
  ];

  test.each(sketches)("because %s, this is why no rule was tested", (_, sketch) => {
    const search = recorded(sketch);
    const create = (name: "legacy" | "current") =>
      recordDraft({ ...draftOf(sketch), id: name, interface: name, operation: "create" });
    const both = resultOf([search, create("legacy"), create("current")]);
    const causes = both.incomplete.map(({ message }) => message);
    const untestedRules = untestedIn(both);
    expect(untestedRules.length).toBeGreaterThan(150);
    expect(untestedRules.filter(({ reason }) => !causes.includes(reason))).toEqual([]);

    // Calls that were not sent are not tested because of the search.
    const alone = resultOf([search]);
    expect(new Set(untestedIn(alone).map(({ reason }) => reason))).toEqual(new Set([causes[0]]));
  });

  test("to the calls of one interface, rules of the other one and of searches have reasons of their own", () => {
    const refused = recordDraft({ ...draftOf(failed("refused")), id: "2", interface: "legacy", operation: "create" });
    const result = resultOf([recorded({ body: "event: done\ndata: {}\n\n" }), refused]);
    const cause = result.incomplete.find(({ message }) => message.startsWith("the legacy interface"))?.message;
    const areas = (wanted: boolean) =>
      new Set(
        untestedIn(result).flatMap(({ rule, reason }) =>
          (reason === cause) === wanted ? [rule.slice(0, rule.indexOf("/"))] : [],
        ),
      );
    expect(areas(true)).toEqual(new Set(["legacy", "migration"]));
    expect(areas(false)).toEqual(new Set(["stream", "current"]));
  });
});

describe("the reasons of a rule that was not tested", () => {
  const [rule] = resultOf([recorded({ body: "event: done\ndata: {}\n\n" })], {
    rules: ["stream/alert-is-an-object"],
    mustTest: ["stream/alert-is-an-object"],
  }).verdicts;
  const unanswered = new Map([["stream", "no answer"]]);
  const stop = { reason: "stopped", isBail: false };
  const verdictWith = (reason?: string, causes: Partial<Parameters<typeof addReasons>[1]> = {}) => {
    const verdict = { outcome: "not-tested" as const, ...(reason === undefined ? {} : { reason }) };
    return addReasons(rule === undefined ? [] : [{ ...rule, verdict }], { unanswered: new Map(), ...causes });
  };

  test.each([
    { name: "no answer", given: "a check says so", causes: { unanswered, stop }, reason: "no answer" },
    { name: "the end of the run", given: "a check says so", causes: { stop }, reason: "stopped" },
    { name: "a mutation or the check", given: "a check says so", causes: {}, reason: "a check says so" },
    { name: "the record", given: undefined, causes: {}, reason: "no alert was sent; alerts are optional" },
  ])("come in this order: $name", ({ given, causes, reason }) => {
    expect(verdictWith(given, causes)).toMatchObject([{ mustTest: true, verdict: { reason } }]);
  });
});
