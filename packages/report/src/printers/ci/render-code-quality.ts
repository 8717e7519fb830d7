import { createHash } from "node:crypto";
import type { ReportInput } from "../../document/report-input.ts";
import { escapeForDisplay } from "../../document/shown-text.ts";
import { createLoadCases } from "../../document/load-cases.ts";
import { createRunCases } from "../../document/run-cases.ts";
import type { CaseList, TestCase } from "../../document/test-case.ts";

const severities = {
  passed: undefined,
  skipped: undefined,
  warning: "minor",
  failure: "major",
  error: "critical",
} as const satisfies Record<TestCase["kind"], string | undefined>;

const toIssues = ({ cases, target }: CaseList): readonly object[] =>
  cases.flatMap(({ kind, message = "", name }) => {
    const severity = severities[kind];
    const [firstLine = ""] = message.split("\n");
    // GitLab matches issues of two pipelines by fingerprint. There is one for each rule and target.
    const fingerprint = createHash("sha256").update(`${name}\n${target}`).digest("hex");
    return severity === undefined
      ? []
      : [
          {
            description: `${name}: ${firstLine} (${escapeForDisplay(target, "url")})`,
            check_name: name,
            fingerprint,
            severity,
            // GitLab requires a path and a line. A finding has neither, so the rule is used as the path.
            location: { path: name, lines: { begin: 1 } },
          },
        ];
  });

/**
 * Renders a code-quality report for GitLab: an issue for each rule that fails a run or warned, except for known failures. The same results
 * yield the same bytes.
 */
export const renderCodeQuality = ({ runs, loads }: Pick<ReportInput, "runs" | "loads">): string => {
  const caseLists = [
    ...runs.map(({ result }) => createRunCases(result)),
    ...loads.map((load) => createLoadCases(load)),
  ];
  return `${JSON.stringify(caseLists.flatMap(toIssues), undefined, 2)}\n`;
};
