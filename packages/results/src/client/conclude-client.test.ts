import { expect, test } from "vitest";
import { toPositiveCount } from "../positive-count.ts";
import type { Verdict } from "../verdict.ts";
import type { ClientTrial } from "./client-report.ts";
import { concludeClient } from "./conclude-client.ts";
import { formatTrialLabel } from "./trial-label.ts";

const seen: Verdict = { outcome: "passed", observations: toPositiveCount(1)! };
const finding = { kind: "violation", message: "a finding" } as const;
const failed: Verdict = { outcome: "failed", findings: [finding], moreFindings: 0 };
const warned: Verdict = { outcome: "warned", findings: [finding], moreFindings: 0 };
const blocked: Verdict = { outcome: "blocked", blockedBy: "prerequisite", missing: "an end" };
const notTested: Verdict = { outcome: "not-tested" };

const trialOf = (verdicts: readonly Verdict[], other: Partial<ClientTrial> = {}): ClientTrial => ({
  trial: "ordinary-search",
  interface: "stream",
  task: "search",
  title: "a search",
  participation: "took-part",
  requests: 1,
  durationMs: 1,
  end: { kind: "exited", status: 0 },
  lastWords: "",
  checks: verdicts.map((verdict, index) => ({
    check: `search/check-${index}`,
    title: "holds",
    basis: "derived",
    requirements: [],
    verdict,
  })),
  ...other,
});

const skipped = trialOf([notTested], { participation: "skipped", trial: "cancel", interface: "legacy" });
const withoutRequest = trialOf([notTested], { participation: "no-request", requests: 0, trial: "redirect" });
const onlySearched = trialOf([notTested], { participation: "no-request", task: "ask", trial: "quota" });

test.each([
  { name: "all pass", trials: [trialOf([seen, notTested])], code: 0, says: "the client passed 1 trial" },
  {
    name: "a check fails",
    trials: [trialOf([seen, failed])],
    code: 1,
    says: "the client failed 1 of 1 trial: search/check-1",
  },
  { name: "a check warns", trials: [trialOf([seen, warned])], code: 0, says: "with warnings of search/check-1" },
  { name: "a check is blocked", trials: [trialOf([seen, blocked])], code: 0, says: "the client passed 1 trial" },
  { name: "every check is blocked", trials: [trialOf([blocked])], code: 3, says: "no verdict on the client" },
  { name: "there is no trial", trials: [], code: 3, says: "no verdict on the client" },
  { name: "one is left out", trials: [trialOf([seen]), skipped], code: 0, says: "it left out 1 trial" },
  { name: "all are left out", trials: [skipped], code: 3, says: "left out every trial" },
  {
    name: "one sent no request",
    trials: [trialOf([seen]), withoutRequest],
    code: 3,
    says: "sent no request in 1 trial (redirect)",
  },
  {
    name: "one only searched",
    trials: [trialOf([seen]), onlySearched],
    code: 3,
    says: "task was to ask (quota); where",
  },
  {
    name: "one fails and one sent no request",
    trials: [trialOf([failed]), withoutRequest],
    code: 1,
    says: "also incomplete",
  },
])("when $name, the exit code is $code and the summary says so", ({ code, says, trials }) => {
  const { exitCode, summary } = concludeClient({ trials, requestedTrials: [] });
  expect([exitCode, summary]).toEqual([code, expect.stringContaining(says)]);
});

test("a trial requested by name may not be left out", () => {
  const conclusion = concludeClient({ trials: [trialOf([seen]), skipped], requestedTrials: ["cancel (legacy)"] });
  expect(conclusion).toMatchObject({ exitCode: 3, summary: expect.stringContaining("left out cancel (legacy)") });
});

test.each([
  { interrupted: "SIGINT", code: 130 },
  { interrupted: "SIGTERM", code: 143 },
] as const)("$interrupted outranks failures", ({ code, interrupted }) => {
  const { exitCode, summary } = concludeClient({ trials: [trialOf([failed])], requestedTrials: [], interrupted });
  expect([exitCode, summary]).toEqual([code, `interrupted by ${interrupted} after 1 trial`]);
});

test("the label of a trial has its interface if there are several", () => {
  expect([formatTrialLabel(trialOf([])), formatTrialLabel(skipped)]).toEqual(["ordinary-search", "cancel (legacy)"]);
});
