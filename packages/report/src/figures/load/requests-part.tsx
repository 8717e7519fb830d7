import type { LoadOutcome, LoadResult } from "@assay/results";
import type { JSX } from "preact";
import { groupedNumber } from "../../printers/html/grouped-number.ts";
import { Prose } from "../../printers/html/prose.tsx";
import { shareText } from "../../document/shown-number.ts";
import { violationEntries } from "../../document/load-sections.ts";
import { shownText } from "../../document/shown-text.ts";
import { DataTable } from "../data-table.tsx";
import { grammarObservations, grammarViolations } from "@assay/contract";
import { standardClientWords } from "../../document/outcome-words.ts";

/** Codes of scenarios, in addition to those of the event format. */
const otherCodes: Readonly<Record<string, string>> = {
  "illegal-transition": "a conversation changed to a state that may not follow",
  "unknown-state": "a conversation had a state that the specifications do not name",
  "bad-answer": "a response of the conversation API without required members",
  "content-type": "another content type than `text/event-stream`, or none",
};

const isViolation = (code: string): code is keyof typeof grammarViolations => Object.hasOwn(grammarViolations, code);
const isObservation = (code: string): code is keyof typeof grammarObservations =>
  Object.hasOwn(grammarObservations, code);
const other = (code: string): string => (Object.hasOwn(otherCodes, code) ? (otherCodes[code] ?? "") : "");

/** The meaning of a violation code, one clause; empty if unknown. */
const violationMeaning = (code: string): string =>
  isViolation(code)
    ? `${grammarViolations[code].title}; ${standardClientWords[grammarViolations[code].standardClient]}`
    : other(code);

/** The rule of a violation code; undefined if no rule has its name. */
const violatedRule = (code: string): string | undefined =>
  isViolation(code) ? grammarViolations[code].rule : undefined;

/** The meaning of the code of a permitted choice, one clause; empty if unknown. */
const observationMeaning = (code: string): string =>
  isObservation(code) ? grammarObservations[code].title : other(code);

const outcomeMeanings: Readonly<Record<LoadOutcome, string>> = {
  ok: "ended as it should",
  violation: "violates the contract",
  refused: "401 or 403",
  distress: "429 or 503",
  "bad-status": "an unexpected status, or a conversation that ended with an error",
  timeout: "did not end within its deadline",
  transport: "no connection, or it broke",
  limit: "a limit of Assay was reached",
  "held-back": "not sent, because the target was in distress",
  "not-begun": "not sent: all virtual users were busy",
  "over-budget": "not sent, because no more questions may be asked",
  canceled: "the run ended first",
  unfinished: "a conversation without an end at its deadline",
};

const meaning = (outcome: string): string =>
  Object.entries(outcomeMeanings).find(([name]) => name === outcome)?.[1] ?? "";

/** More rows than this are not listed. */
const mostRows = 50;

const byCount = (counts: Readonly<Record<string, number>>): readonly (readonly [string, number])[] =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, mostRows);

/** The outcomes of the measured requests by kind, with their meaning. */
export const RequestsPart = ({ load }: { readonly load: LoadResult }): JSX.Element => {
  const rows = Object.entries(load.outcomes).flatMap(([kind, counts]) => {
    const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
    return byCount(counts).map(([outcome, count]) => [
      shownText(kind, "name"),
      `${outcome === "ok" ? "✓" : "✗"} ${shownText(outcome, "name")}`,
      groupedNumber(count),
      shareText(count / total, 2),
      meaning(outcome),
    ]);
  });
  return rows.length === 0 ? (
    <p>No request was measured.</p>
  ) : (
    <DataTable
      caption="Measured requests; those of the warm-up are not counted"
      head={["kind", "outcome", "count", "share", "meaning"]}
      rows={rows}
    />
  );
};

/** Violations of all streams and conversations, most frequent first. */
export const ViolationsPart = ({ load }: { readonly load: LoadResult }): JSX.Element => (
  <DataTable
    caption="In all requests, warm-up included"
    head={["code", "count", "what it means", "rule"]}
    rows={violationEntries(load)
      .slice(0, mostRows)
      .map(([code, count]) => [
        `✗ ${shownText(code, "name")}`,
        groupedNumber(count),
        <Prose text={violationMeaning(code)} />,
        violatedRule(code) ?? "-",
      ])}
  />
);

/** Choices of the target that the contract leaves open. */
export const ChoicesPart = ({ load }: { readonly load: LoadResult }): JSX.Element => (
  <DataTable
    caption="In all requests, warm-up included"
    head={["code", "count", "what it means"]}
    rows={byCount(load.observations).map(([code, count]) => [
      shownText(code, "name"),
      groupedNumber(count),
      <Prose text={observationMeaning(code)} />,
    ])}
  />
);
