import { visibleText } from "@assay/evidence";
import { cutMarkdown, type ComparisonEnd, renderComparisonMarkdown, formatWorkflowCommand } from "@assay/report";
import { createEndOutputs, type GithubReport } from "./report-to-github.ts";

/** Creates the GitHub summary and outputs for a comparison of stored runs. */
export function createComparisonReport({ comparison, outcome, exitCode }: ComparisonEnd): GithubReport {
  const kind = exitCode === 0 ? "notice" : "error";
  return {
    input: { runs: [], loads: [], comparisons: [] },
    summary: cutMarkdown(renderComparisonMarkdown(comparison), 500_000),
    annotations: formatWorkflowCommand(kind, {
      title: `Assay: ${comparison.verdict}`,
      message: visibleText(comparison.summary, 400),
    }),
    outputs: { ...createEndOutputs({ outcome, exitCode }), verdict: comparison.verdict },
  };
}
