import type { RuleId } from "@assay/contract";
import type { UnsentProbe } from "@assay/evidence";
import type { RuleOutcome } from "@assay/rules";
import { provenTokenMissing } from "@assay/rules";
import { expect, test } from "vitest";
import { withUnsent } from "./unsent-probes.ts";

const silent: RuleOutcome = { observations: 0, findings: [], droppedViolations: 0 };
const saw: RuleOutcome = { ...silent, observations: 2 };
const blames = (missing: string): RuleOutcome => ({ ...silent, blockedBy: { kind: "prerequisite", missing } });
const asksForToken = blames("a list with a token (give one in ASSAY_READ_TOKEN)");
const cut: RuleOutcome = { ...silent, blockedBy: { kind: "transport", missing: "an answer to list other than 500" } };

const unsent = (
  probe: string,
  cause: UnsentProbe["cause"],
  name: UnsentProbe["interface"] = "current",
): UnsentProbe => ({ interface: name, probe, cause, reason: `the reason is ${cause}` });

/** What is missing, after the kind of the blockedBy; what the rule counted where there is none. */
const said = (rule: RuleId, outcome: RuleOutcome, probes: readonly UnsentProbe[]): string => {
  const { blockedBy, observations } = withUnsent([rule], new Map([[rule, outcome]]), probes).get(rule) ?? silent;
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
    outcome: silent,
    probes: [unsent("follow-up", "busy")],
    says: left("transport", "busy"),
  },
  {
    name: "a quota that is used up is a limit",
    rule: "current/cancel-is-accepted",
    outcome: silent,
    probes: [unsent("cancel", "quota")],
    says: left("limit", "quota"),
  },
  {
    name: "a budget is something that people can give",
    rule: "current/cancel-is-accepted",
    outcome: silent,
    probes: [unsent("cancel", "budget")],
    says: left("prerequisite", "budget"),
  },
  {
    name: "the most severe of several reasons is told",
    rule: "current/follow-up-is-accepted",
    outcome: silent,
    probes: [unsent("follow-up", "other"), unsent("create", "busy")],
    says: left("transport", "busy"),
  },
  {
    name: "what was not left out by choice leaves a silent rule without an observation",
    rule: "current/follow-up-is-accepted",
    outcome: silent,
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
    outcome: silent,
    probes: [unsent("follow-up", "busy", "legacy")],
    says: "seen 0",
  },
  {
    name: "a probe that it does not need is nothing to it",
    rule: "current/name-is-stable",
    outcome: silent,
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
    says: "prerequisite: a list with a token (give one in ASSAY_READ_TOKEN)",
  },
  {
    name: "a token that was tried and turned away is still what is missing",
    rule: "current/access-token-is-accepted",
    outcome: blames(provenTokenMissing),
    probes: [unsent("poll", "other")],
    says: `prerequisite: ${provenTokenMissing}`,
  },
  {
    name: "an answer that broke off is still what is missing",
    rule: "current/list-is-accepted",
    outcome: cut,
    probes: [unsent("create", "busy")],
    says: "transport: an answer to list other than 500",
  },
  {
    name: "a search that was held back is no search that nobody made possible",
    rule: "stream/oauth-token-is-accepted",
    outcome: blames("no search with an OAuth token (give one in ASSAY_OAUTH_TOKEN)"),
    probes: [unsent("oauth-token", "busy", "stream")],
    says: left("transport", "busy"),
  },
  {
    name: "a search with another credential is nothing to it",
    rule: "stream/oauth-token-is-accepted",
    outcome: asksForToken,
    probes: [unsent("unscoped-token", "busy", "stream")],
    says: "prerequisite: a list with a token (give one in ASSAY_READ_TOKEN)",
  },
])("$name", ({ rule, outcome, probes, says }) => {
  expect(said(rule, outcome, probes)).toBe(says);
});

test("a rule that does not apply is left alone", () => {
  const rule = "stream/anonymous-search-is-accepted";
  const excluded = { ...silent, notApplicable: "the target is private" };
  const accounted = withUnsent([rule], new Map([[rule, excluded]]), [unsent("no-token", "busy", "stream")]);
  expect(accounted.get(rule)).toEqual(excluded);
});

test("a rule of which nothing was said could not run either, and only selected rules are spoken of", () => {
  const accounted = withUnsent(["legacy/cancel-is-accepted"], new Map(), [unsent("cancel", "busy", "legacy")]);
  expect([...accounted.keys()]).toEqual(["legacy/cancel-is-accepted"]);
});

test("what stands in a file is shown without its control characters", () => {
  const probe = { ...unsent("cancel", "busy"), reason: "\u001B[2J" };
  expect(said("current/cancel-is-accepted", silent, [probe])).not.toContain("\u001B");
});
