import { allSentences, type Sentence } from "@assay/contract";
import { ruleStanding } from "@assay/results";
import { groupedBy } from "../document/rule-groups.ts";
import type { PageRun, PlacedVerdict } from "./page-runs.ts";
import { topSection } from "./section-names.ts";

/** How a sentence stands in a run: the most severe of its rules, or why no rule judges it. */
export type SentenceStanding = "broken" | "held" | "unjudged" | "open" | "not-observable";

/** A sentence with the verdicts of its rules in one run. */
export interface JudgedSentence {
  readonly sentence: Sentence;
  readonly standing: SentenceStanding;
  readonly verdicts: readonly PlacedVerdict[];
  /** Rules of the sentence that the run did not select. */
  readonly unselected: readonly string[];
}

/** The sentences of one section of a document. */
export interface CoveredSection {
  readonly document: string;
  readonly section: string;
  readonly sentences: readonly JudgedSentence[];
}

const isBroken = ({ rule }: PlacedVerdict): boolean =>
  rule.verdict.outcome === "failed" || rule.verdict.outcome === "warned";
const isHeld = ({ rule }: PlacedVerdict): boolean =>
  ruleStanding(rule) === "passed" || ruleStanding(rule) === "unexpectedly-fixed";

const standingOf = ({ coverage }: Sentence, verdicts: readonly PlacedVerdict[]): SentenceStanding => {
  if (coverage.kind === "gap") {
    return "open";
  }
  if (coverage.kind === "not-observable") {
    return "not-observable";
  }
  if (verdicts.some(isBroken)) {
    return "broken";
  }
  return verdicts.some(isHeld) ? "held" : "unjudged";
};

const judgedSentence = (sentence: Sentence, byRule: ReadonlyMap<string, readonly PlacedVerdict[]>): JudgedSentence => {
  const rules: readonly string[] = sentence.coverage.kind === "rules" ? sentence.coverage.rules : [];
  const verdicts = rules.flatMap((rule) => byRule.get(rule) ?? []);
  return {
    sentence,
    standing: standingOf(sentence, verdicts),
    verdicts,
    unselected: rules.filter((rule) => !byRule.has(rule)),
  };
};

/** Every sentence of both documents with what a run has shown of it, by section in the order of the documents. */
export const coveredSections = (run: PageRun): readonly CoveredSection[] => {
  const placed = run.result.verdicts.map((rule, index) => ({ run, index, rule }));
  const byRule = new Map(groupedBy(placed, ({ rule }) => rule.rule).map((one) => [one[0]?.rule.rule ?? "", one]));
  const judged = allSentences.map((sentence) => judgedSentence(sentence, byRule));
  return groupedBy(judged, ({ sentence }) => JSON.stringify([sentence.document, topSection(sentence.section)])).map(
    (sentences) => ({
      document: sentences[0]?.sentence.document ?? "",
      section: topSection(sentences[0]?.sentence.section ?? ""),
      sentences,
    }),
  );
};
