export type { Block } from "./document/document.ts";
export { renderClient, renderClientJson } from "./printers/terminal/render-client.ts";
export * from "./printers/junit/render-client-junit.ts";
export * from "./printers/markdown/render-client-markdown.ts";
export type { ReportedRun, ReportInput } from "./document/report-input.ts";
export * from "./printers/html/render-report-html.ts";
export * from "./printers/terminal/render-doctor.ts";
export * from "./printers/terminal/progress.ts";
export * from "./printers/terminal/render-comparison.ts";
export * from "./printers/terminal/render-load.ts";
export * from "./printers/markdown/render-load-markdown.ts";
export {
  renderAgent,
  renderCheckAgent,
  renderClientAgent,
  renderDoctorAgent,
} from "./printers/terminal/render-agent.ts";
export { renderAnnotations } from "./printers/ci/annotations.ts";
export { renderCodeQuality } from "./printers/ci/render-code-quality.ts";
export { cutMarkdown } from "./printers/markdown/cut-markdown.ts";
export * from "./printers/ctrf/render-ctrf.ts";
export * from "./printers/terminal/render-log-line.ts";
export {
  getMergedOutcome,
  renderMergedCtrf,
  renderMergedOutcome,
  renderMergedJunit,
  renderMergedMarkdown,
} from "./printers/render-merged.ts";
export * from "./printers/markdown/render-pull-request-comment.ts";
export * from "./printers/ci/verdict-events.ts";
export { formatWorkflowCommand } from "./printers/ci/workflow-command.ts";
export { proseText } from "./printers/markdown/markdown-text.ts";
export * from "./printers/terminal/progress-reporter.ts";
export * from "./printers/terminal/render-check.ts";
export * from "./printers/terminal/render-coverage.ts";
export * from "./printers/terminal/render-explanation.ts";
export * from "./printers/markdown/render-unspecified.ts";
export * from "./printers/junit/render-junit.ts";
export * from "./printers/markdown/render-kill-matrix.ts";
export * from "./printers/terminal/render-list.ts";
export * from "./printers/markdown/render-requirements.ts";
export * from "./printers/markdown/render-rule-catalogue.ts";
export * from "./printers/markdown/render-rule-page.ts";
export * from "./printers/markdown/render-summary-markdown.ts";
export * from "./printers/terminal/render-terminal.ts";
export * from "./printers/terminal/render-usage-error.ts";
export * from "./printers/render-verdicts-json.ts";
export { type OtlpMetric, createOtlpRequest, type OtlpRequest } from "./telemetry/otlp-metrics.ts";
export { encodeOtlp } from "./telemetry/otlp-binary.ts";
export { createLoadMetrics, createRunMetrics } from "./telemetry/run-metrics.ts";
