import type { Finding, RuleId } from "@assay/contract";
import { judgeExchanges } from "./judge-streams.ts";
import type { ExchangeSketch } from "./judge-streams.ts";
import type { RuleOutcome } from "../engine/rule-outcome.ts";

/** The report of one rule. */
export interface RuleReport {
  readonly observations: number;
  readonly violations: readonly Finding[];
  readonly notes: readonly Finding[];
}

/** Returns an event in the format of the API. */
export const wireEvent = (name: string, data: unknown): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/** The last event of every stream. */
export const doneEvent = wireEvent("done", {});

/** Returns the report of an outcome. A rule without an outcome has an empty report. */
export const toRuleReport = ({ observations = 0, findings = [] }: Partial<RuleOutcome> = {}): RuleReport => ({
  observations,
  violations: findings.filter(({ kind }) => kind === "violation"),
  notes: findings.filter(({ kind }) => kind === "note"),
});

/** Returns the report of one rule about one stream. */
export const streamReport = (id: RuleId, sketch: ExchangeSketch): RuleReport =>
  toRuleReport(judgeExchanges([sketch]).get(id));

/** Describes the report in a short text, for tables. */
export function summarizeReport(id: RuleId, sketch: ExchangeSketch): string {
  const { observations, violations } = streamReport(id, sketch);
  const word = violations.length > 0 ? `broken ${violations.length} times` : "holds";
  return observations === 0 && violations.length === 0 ? "not observed" : `${word}, ${observations} observed`;
}
