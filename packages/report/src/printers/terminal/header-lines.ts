import type { ExchangeSummary, RunResult } from "@assay/results";
import { counted, formatDuration, formatSize } from "../../document/counted.ts";
import type { TerminalLayout } from "./terminal-layout.ts";
import { escapeForDisplay } from "../../document/shown-text.ts";
import { wrapText } from "./wrap-text.ts";

/** Formats the HTTP versions, which are printed after the target, such as ` over HTTP/1.1`. Empty if they are unknown. */
export const formatHttp = ({ httpVersions = [] }: RunResult["run"]): string => {
  const words = httpVersions.slice(0, 4).map((version) => `HTTP/${escapeForDisplay(version, "name")}`);
  return words.length === 0 ? "" : ` over ${words.join(" and ")}`;
};

const renderFirstLine = ({ tool, run }: RunResult, { columns, paint }: TerminalLayout): readonly string[] => {
  const target = `${escapeForDisplay(run.target, "url")}${run.embedded ? " (embedded reference server)" : ""}${formatHttp(run)}`;
  return wrapText(`assay ${escapeForDisplay(tool.version, "name")} · ${target}`, columns).map(paint.bold);
};

/** Formats the access mode if the run detected it, such as `private (found: searches without a token were refused)`. */
export const formatDetectedAccess = ({ foundAccess }: RunResult["run"]): string | undefined =>
  foundAccess &&
  `${foundAccess} (found: searches without a token were ${foundAccess === "private" ? "refused" : "answered"})`;

const formatProfile = ({ run }: RunResult): string =>
  `profile ${escapeForDisplay(run.profile, "name")}${run.strict ? " (strict)" : ""}`;

/** Returns two lines: version and target; profile, number of requests, and time to first match. */
export const renderBriefHeaderLines = (result: RunResult, layout: TerminalLayout): readonly string[] => {
  const { exchanges, run } = result;
  const medianMicros = computeMedianFirstMatch(exchanges);
  const access = formatDetectedAccess(run);
  const details = [
    formatProfile(result),
    ...(access === undefined ? [] : [`access ${access}`]),
    counted(exchanges.length, "request"),
    ...(medianMicros === undefined ? [] : [`first match after ${formatDuration(medianMicros)} (median)`]),
  ].join(" · ");
  return [...renderFirstLine(result, layout), ...wrapText(details, layout.columns).map(layout.paint.dim)];
};

/** Returns lines with version, target, profile and run. */
export const renderHeaderLines = (result: RunResult, layout: TerminalLayout): readonly string[] => {
  const { run } = result;
  const details = [formatProfile(result), `seed ${run.seed}`, `run ${escapeForDisplay(run.id, "name")}`].join(" · ");
  return [...renderFirstLine(result, layout), ...wrapText(details, layout.columns).map(layout.paint.dim)];
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

const computeMedian = (numbers: readonly number[]): number | undefined =>
  numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) / 2)];

const computeMedianFirstMatch = (exchanges: readonly ExchangeSummary[]): number | undefined =>
  computeMedian(exchanges.flatMap(({ firstMatchMicros }) => firstMatchMicros ?? []));

/** Describes the received data in one sentence. The median of an even number of first matches is the lower one. */
export const describeReceived = (exchanges: readonly ExchangeSummary[]): string => {
  const firstMatches = exchanges.flatMap(({ firstMatchMicros }) => firstMatchMicros ?? []);
  const medianMicros = computeMedianFirstMatch(exchanges);
  const received = [
    counted(exchanges.length, "exchange"),
    counted(sum(exchanges.map(({ events }) => events)), "event"),
    counted(sum(exchanges.map(({ matches }) => matches)), "match", "matches"),
    formatSize(sum(exchanges.map(({ bytes }) => bytes))),
  ].join(", ");
  return medianMicros === undefined
    ? received
    : `${received}; first match after ${formatDuration(medianMicros)} (median of ${firstMatches.length})`;
};
