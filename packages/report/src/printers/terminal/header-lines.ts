import type { ExchangeSummary, RunResult } from "@assay/results";
import { counted, durationText, sizeText } from "../../document/counted.ts";
import type { TerminalLayout } from "./terminal-layout.ts";
import { shownText } from "../../document/shown-text.ts";
import { wrapText } from "./wrap-text.ts";

/** Formats the HTTP versions, which are printed after the target, such as ` over HTTP/1.1`. Empty if they are unknown. */
export const httpText = ({ httpVersions = [] }: RunResult["run"]): string => {
  const words = httpVersions.slice(0, 4).map((version) => `HTTP/${shownText(version, "name")}`);
  return words.length === 0 ? "" : ` over ${words.join(" and ")}`;
};

const firstLine = ({ tool, run }: RunResult, { columns, paint }: TerminalLayout): readonly string[] => {
  const target = `${shownText(run.target, "url")}${run.embedded ? " (embedded reference server)" : ""}${httpText(run)}`;
  return wrapText(`assay ${shownText(tool.version, "name")} · ${target}`, columns).map(paint.bold);
};

/** Formats the access mode if the run detected it, such as `private (found: searches without a token were refused)`. */
export const detectedAccessText = ({ foundAccess }: RunResult["run"]): string | undefined =>
  foundAccess &&
  `${foundAccess} (found: searches without a token were ${foundAccess === "private" ? "refused" : "answered"})`;

const profileText = ({ run }: RunResult): string =>
  `profile ${shownText(run.profile, "name")}${run.strict ? " (strict)" : ""}`;

/** Returns two lines: version and target; profile, number of requests, and time to first match. */
export const briefHeaderLines = (result: RunResult, layout: TerminalLayout): readonly string[] => {
  const { exchanges, run } = result;
  const medianMicros = medianFirstMatch(exchanges);
  const access = detectedAccessText(run);
  const details = [
    profileText(result),
    ...(access === undefined ? [] : [`access ${access}`]),
    counted(exchanges.length, "request"),
    ...(medianMicros === undefined ? [] : [`first match after ${durationText(medianMicros)} (median)`]),
  ].join(" · ");
  return [...firstLine(result, layout), ...wrapText(details, layout.columns).map(layout.paint.dim)];
};

/** Returns lines with version, target, profile and run. */
export const headerLines = (result: RunResult, layout: TerminalLayout): readonly string[] => {
  const { run } = result;
  const details = [profileText(result), `seed ${run.seed}`, `run ${shownText(run.id, "name")}`].join(" · ");
  return [...firstLine(result, layout), ...wrapText(details, layout.columns).map(layout.paint.dim)];
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

const median = (numbers: readonly number[]): number | undefined =>
  numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) / 2)];

const medianFirstMatch = (exchanges: readonly ExchangeSummary[]): number | undefined =>
  median(exchanges.flatMap(({ firstMatchMicros }) => firstMatchMicros ?? []));

/** Describes the received data in one sentence. The median of an even number of first matches is the lower one. */
export const receivedSentence = (exchanges: readonly ExchangeSummary[]): string => {
  const firstMatches = exchanges.flatMap(({ firstMatchMicros }) => firstMatchMicros ?? []);
  const medianMicros = medianFirstMatch(exchanges);
  const received = [
    counted(exchanges.length, "exchange"),
    counted(sum(exchanges.map(({ events }) => events)), "event"),
    counted(sum(exchanges.map(({ matches }) => matches)), "match", "matches"),
    sizeText(sum(exchanges.map(({ bytes }) => bytes))),
  ].join(", ");
  return medianMicros === undefined
    ? received
    : `${received}; first match after ${durationText(medianMicros)} (median of ${firstMatches.length})`;
};
