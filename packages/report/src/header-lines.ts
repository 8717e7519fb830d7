import type { ExchangeSummary, RunResult } from "@assay/results";
import { counted, durationOf, sizeOf } from "./counted.ts";
import { painted, verdictWords } from "./outcome-words.ts";
import type { Page } from "./page.ts";
import { shownText } from "./shown-text.ts";
import { wrapIndented, wrapText } from "./wrap-text.ts";

/** What was tested and how: tool, target, profile, run. */
export const headerLines = ({ tool, run }: RunResult, { columns, paint }: Page): readonly string[] => {
  const target = `${shownText(run.target, "url")}${run.embedded ? " (embedded reference server)" : ""}`;
  const details = [
    `profile ${shownText(run.profile, "name")}${run.strict ? " (strict)" : ""}`,
    `seed ${run.seed}`,
    `run ${shownText(run.id, "name")}`,
  ].join(" · ");
  return [
    ...wrapText(`assay ${shownText(tool.version, "name")} · ${target}`, columns).map(paint.bold),
    ...wrapText(details, columns).map(paint.dim),
  ];
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

const medianOf = (numbers: readonly number[]): number | undefined =>
  numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) / 2)];

/** What came back in all, one sentence; the median of first matches is the lower one of an even count. */
export const seenSentence = (exchanges: readonly ExchangeSummary[]): string => {
  const firstMatches = exchanges.flatMap(({ firstMatchMicros }) => firstMatchMicros ?? []);
  const median = medianOf(firstMatches);
  const seen = [
    counted(exchanges.length, "exchange"),
    counted(sum(exchanges.map(({ events }) => events)), "event"),
    counted(sum(exchanges.map(({ matches }) => matches)), "match", "matches"),
    sizeOf(sum(exchanges.map(({ bytes }) => bytes))),
  ].join(", ");
  return median === undefined
    ? seen
    : `${seen}; first match after ${durationOf(median)} (median of ${firstMatches.length})`;
};

const shownFailures = 3;

/** Exchanges that failed, the first ones with their reason. */
export const failedExchangeLines = (exchanges: readonly ExchangeSummary[], page: Page): readonly string[] => {
  const failed = exchanges.filter(({ failure }) => failure !== undefined);
  const more = failed.length - shownFailures;
  const { sign } = verdictWords["could-not-run"];
  return [
    ...failed.slice(0, shownFailures).flatMap(({ id, probe, failure }) => {
      const text = `${sign} exchange ${shownText(id, "name")} (${shownText(probe, "name")}): ${shownText(failure ?? "")}`;
      const lines = wrapIndented(text, { columns: page.columns, indent: 0, hanging: 2 });
      return lines.map((line) => painted(sign, line, page));
    }),
    ...(more > 0 ? [`  and ${counted(more, "more failed exchange")}`] : []),
  ];
};
