import { toPositiveCount, type ReportedFinding, type RuleVerdict, type Verdict } from "@assay/results";
import type { ReportedRun } from "../document/report-input.ts";
import { commentFinding, fixedFailure, knownFailure, passedWith, resultOf, sampleRules } from "./sample-results.ts";
import { sampleChange, sampleTimelines } from "./sample-timelines.ts";

const verdicts: readonly Verdict[] = [
  { outcome: "failed", findings: [commentFinding, { ...commentFinding, event: 5 }], moreFindings: 3 },
  { outcome: "warned", findings: [{ kind: "violation", message: "`matchCount` fell from 4 to 3" }], moreFindings: 0 },
  {
    outcome: "failed",
    findings: [commentFinding],
    moreFindings: 0,
    partlyBlocked: { blockedBy: "limit", missing: "a line" },
  },
  passedWith(3),
  { outcome: "not-tested" },
  { outcome: "not-applicable", reason: "the target was not said to be public" },
  { outcome: "blocked", blockedBy: "limit", missing: "a line of more than 64 MiB" },
];

/** The sample rules with each standing once; the others passed. */
export const everyStanding: readonly RuleVerdict[] = sampleRules.map((rule, index) => ({
  ...rule,
  verdict: verdicts[index] ?? rule.verdict,
  ...(index === 2 ? { known: knownFailure } : {}),
  ...(index === 3 ? { known: fixedFailure } : {}),
  ...(index === 11 ? { notes: [{ kind: "note", message: "`visibility`" }] } : {}),
}));

/** A run with content for every part of a page. */
export const fullRun: ReportedRun = {
  result: resultOf(
    {
      verdicts: everyStanding,
      incomplete: [{ code: "deadline", message: "the run took longer than 60 s" }],
      knownFailureMistakes: ["known.txt, line 9: no rule is called stream/x"],
    },
    {
      knownFailureNotes: ["field.txt, line 2: legacy/x did not fail"],
      openapi: {
        source: "served",
        address: "http://127.0.0.1:3080/api-reference/openapi.yaml",
        sha256: "f5096896a497f5096896a497",
        notes: ["one schema could not be used"],
        differences: ["a field is called otherwise"],
        unseen: ["GET /x 500"],
      },
    },
  ),
  timelines: sampleTimelines,
  change: sampleChange,
};

const manyFindings: readonly [ReportedFinding, ...ReportedFinding[]] = [
  commentFinding,
  ...Array.from({ length: 19 }, (_, at) => ({
    ...commentFinding,
    offset: at,
    message: `a comment line, number ${at}`,
  })),
];

/** A run of 1,000 verdicts of which 200 failed with 20 findings each. */
export const largeRun = (): ReportedRun => {
  const held = toPositiveCount(7);
  const rules = Array.from({ length: 1000 }, (_, at): RuleVerdict => {
    const rule = sampleRules[at % sampleRules.length] ?? sampleRules[0];
    if (rule === undefined || held === undefined) {
      throw new Error("there are no sample rules");
    }
    const failed: Verdict = { outcome: "failed", findings: manyFindings, moreFindings: 480 };
    return {
      ...rule,
      rule: `stream/number-${at}-of-a-rule-with-a-name`,
      verdict: at % 5 === 0 ? failed : { outcome: "passed", observations: held },
    };
  });
  return { result: resultOf({ verdicts: rules }), timelines: sampleTimelines };
};
