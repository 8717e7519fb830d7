export { renderClient, renderClientJson, type ClientPageOptions } from "./client/render-client.ts";
export * from "./client/render-client-junit.ts";
export * from "./client/render-client-markdown.ts";
export type { ReportedRun, ReportInput } from "./html/report-input.ts";
export * from "./html/render-report-html.ts";
export * from "./doctor/render-doctor.ts";
export * from "./load/load-progress.ts";
export * from "./load/render-comparison.ts";
export * from "./load/render-load.ts";
export * from "./load/render-load-junit.ts";
export * from "./load/render-load-markdown.ts";
export { renderAnnotations } from "./machine/annotations.ts";
export { cutMarkdown } from "./machine/cut-markdown.ts";
export * from "./machine/render-ctrf.ts";
export * from "./machine/render-log-line.ts";
export {
  mergedEnd,
  renderMergedCtrf,
  renderMergedEnd,
  renderMergedJunit,
  renderMergedMarkdown,
} from "./machine/render-merged.ts";
export * from "./machine/render-pull-request-comment.ts";
export * from "./machine/verdict-events.ts";
export { workflowCommand } from "./machine/workflow-command.ts";
export { proseText } from "./markdown-text.ts";
export type { PageOptions } from "./page.ts";
export * from "./progress-reporter.ts";
export * from "./render-check.ts";
export * from "./render-coverage.ts";
export * from "./render-junit.ts";
export * from "./render-kill-matrix.ts";
export * from "./render-list.ts";
export * from "./render-rule-catalogue.ts";
export * from "./render-summary-markdown.ts";
export * from "./render-terminal.ts";
export * from "./render-usage-error.ts";
export * from "./render-verdicts-json.ts";
