export type { Block } from "./document/document.ts";
export { renderClient, renderClientJson } from "./printers/render-client.ts";
export * from "./printers/render-client-junit.ts";
export * from "./printers/render-client-markdown.ts";
export type { ReportedRun, ReportInput } from "./page/report-input.ts";
export * from "./page/render-report-html.ts";
export * from "./printers/render-doctor.ts";
export * from "./printers/progress.ts";
export * from "./printers/render-comparison.ts";
export * from "./printers/render-load.ts";
export * from "./printers/render-load-junit.ts";
export * from "./printers/render-load-markdown.ts";
export { renderAgent, renderCheckAgent, renderClientAgent, renderDoctorAgent } from "./printers/render-agent.ts";
export { renderAnnotations } from "./printers/annotations.ts";
export { renderCodeQuality } from "./printers/render-code-quality.ts";
export { cutMarkdown } from "./printers/cut-markdown.ts";
export * from "./printers/render-ctrf.ts";
export * from "./printers/render-log-line.ts";
export {
  mergedEnd,
  renderMergedCtrf,
  renderMergedEnd,
  renderMergedJunit,
  renderMergedMarkdown,
} from "./printers/render-merged.ts";
export * from "./printers/render-pull-request-comment.ts";
export * from "./printers/verdict-events.ts";
export { workflowCommand } from "./printers/workflow-command.ts";
export { proseText } from "./printers/markdown-text.ts";
export * from "./printers/progress-reporter.ts";
export * from "./printers/render-check.ts";
export * from "./printers/render-coverage.ts";
export * from "./printers/render-explanation.ts";
export * from "./printers/render-unspecified.ts";
export * from "./printers/render-junit.ts";
export * from "./printers/render-kill-matrix.ts";
export * from "./printers/render-list.ts";
export * from "./printers/render-requirements.ts";
export * from "./printers/render-rule-catalogue.ts";
export * from "./printers/render-rule-page.ts";
export * from "./printers/render-summary-markdown.ts";
export * from "./printers/render-terminal.ts";
export * from "./printers/render-usage-error.ts";
export * from "./printers/render-verdicts-json.ts";
export { type OtlpMetric, otlpRequest, type OtlpRequest } from "./telemetry/otlp-metrics.ts";
export { otlpBinary } from "./telemetry/otlp-binary.ts";
export { metricsOfLoad, metricsOfRun } from "./telemetry/run-metrics.ts";
