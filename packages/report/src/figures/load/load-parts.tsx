import type { LoadResult } from "@assay/results";
import type { ComponentChildren, JSX } from "preact";
import { counted } from "../../document/counted.ts";
import { fold, type Section, tableBlock, text } from "../../document/document.ts";
import { arrivalSentence, isUnsent, violationEntries, loadValidity } from "../../document/load-facts.ts";
import { hasComparisonHeadline } from "../../document/load-headline.ts";
import { loadJudgementSection } from "../../document/load-judgement-section.ts";
import { knownFailureSections } from "../../document/load-known-sections.ts";
import {
  canarySection,
  cleanUpSection,
  contractSection,
  kneeSection,
  loadRequestsSection,
  thresholdsSection,
  timingsSection,
  trustSection,
} from "../../document/load-sections.ts";
import { choicesTable, planTable } from "../../document/load-tables.ts";
import { comparisonWords, metricWords } from "../../document/load-words.ts";
import type { PagePart } from "../../printers/html/page-section.tsx";
import { HtmlSection, sectionPart } from "../../printers/html/print-html.tsx";
import { CdfFigure } from "./cdf-figure.tsx";
import { ComparisonFigure } from "./comparison-figure.tsx";
import { latencySides, leadingMetrics } from "./latency-side.ts";
import { TimeFigure } from "./time-figure.tsx";

/** Stamps across figures that must not be used. */
const stamps = {
  ok: undefined,
  undecided: "UNDECIDED: too few samples",
  invalid: "INVALID: not to be used",
} as const;

const Distributions = ({ id, load }: { readonly id: string; readonly load: LoadResult }): JSX.Element => {
  const figures = leadingMetrics(load).flatMap((metric) => {
    const sides = latencySides(load, metric);
    return sides.length === 0
      ? []
      : [
          <CdfFigure
            id={`${id}-cdf-${metric}`}
            name={metricWords[metric]}
            sides={sides}
            stamp={stamps[loadValidity(load)]}
          />,
        ];
  });
  return figures.length === 0 ? <p>There are no histograms: nothing was measured.</p> : <>{figures}</>;
};

const figureParts = (id: string, load: LoadResult): readonly PagePart[] => {
  if (isUnsent(load)) {
    return [];
  }
  const titleSuffix = loadValidity(load) === "invalid" ? " (not to be used)" : "";
  return [
    ...sectionPart(`${id}-timings`, timingsSection(load), `Timings${titleSuffix}`),
    { id: `${id}-spread`, title: `Latency distribution${titleSuffix}`, body: <Distributions id={id} load={load} /> },
    {
      id: `${id}-course`,
      title: `Over time${titleSuffix}`,
      body:
        load.intervals.length === 0 ? (
          <p>There is no course over time, because the run has no intervals.</p>
        ) : (
          <TimeFigure id={`${id}-time`} load={load} stamp={stamps[loadValidity(load)]} />
        ),
    },
  ];
};

const comparisonPart = (id: string, load: LoadResult): readonly PagePart[] => {
  const { comparison } = load;
  const stamp = stamps[loadValidity(load)];
  return comparison === undefined
    ? []
    : [
        {
          id: `${id}-comparison`,
          title: `Comparison: ${stamp === undefined ? comparisonWords[comparison.verdict].word : "does not count"}`,
          body: (
            <ComparisonFigure
              id={`${id}-comparison`}
              comparison={comparison}
              isHeadlineElsewhere={hasComparisonHeadline(load)}
              stamp={stamp}
            />
          ),
        },
      ];
};

/** Reports whether requests failed for lack of access, such as a login page or an expired token, and not for lack of capacity. */
const hasAccessProblem = ({ incomplete }: LoadResult): boolean =>
  incomplete.some(({ code }) => code === "not-the-api" || code === "authentication-refused");

const saturationSection = (load: LoadResult): Section => {
  const { saturation, trust } = load;
  // In an invalid run its advice would contradict the advice about the generator.
  return {
    title: "The target is saturated",
    blocks: saturation === undefined || !trust.valid || hasAccessProblem(load) ? [] : [text(saturation.sentence)],
  };
};

const knownPart = (id: string, load: LoadResult): readonly PagePart[] => {
  const sections = knownFailureSections(load).filter(({ blocks }) => blocks.length > 0);
  const body: ComponentChildren = sections.map((section) => <HtmlSection section={section} />);
  return sections.length === 0 ? [] : [{ id: `${id}-known`, title: "Known failures", body }];
};

const trustTitles = {
  ok: "Generator ok",
  undecided: "Undecided: too few samples",
  invalid: "Invalid: conditions of the load failed",
} as const;

const trustPart = (id: string, load: LoadResult): readonly PagePart[] =>
  sectionPart(`${id}-trust`, trustSection(load, false), trustTitles[loadValidity(load)]);

const planSection = (load: LoadResult): Section => ({
  blocks: fold(`${arrivalSentence(load.plan)}; machine, versions and digests`, tableBlock(planTable(load))),
});

/** Returns the parts of a load run below its strip, most decisive first. For an invalid run that is the reason it is invalid. */
export const loadParts = (id: string, load: LoadResult): readonly PagePart[] => {
  const { valid } = load.trust;
  const hasFailedRule = (load.judgement?.broken.length ?? 0) > 0;
  const judgement = sectionPart(`${id}-judgement`, loadJudgementSection(load, true));
  const codes = counted(violationEntries(load).length, "code");
  return [
    ...(valid ? [] : trustPart(id, load)),
    ...sectionPart(`${id}-violations`, contractSection(load)).map((part) => ({ ...part, count: codes })),
    ...(hasFailedRule ? judgement : []),
    ...comparisonPart(id, load),
    ...sectionPart(`${id}-saturation`, saturationSection(load)),
    ...sectionPart(`${id}-knee`, kneeSection(load), "Capacity of the target"),
    ...figureParts(id, load),
    ...sectionPart(`${id}-requests`, loadRequestsSection(load), "Requests by outcome"),
    ...sectionPart(`${id}-limits`, thresholdsSection(load)),
    ...(hasFailedRule ? [] : judgement),
    ...knownPart(id, load),
    ...sectionPart(`${id}-canary`, canarySection(load), "Contract checks during the load"),
    ...sectionPart(`${id}-cleanup`, cleanUpSection(load)),
    ...sectionPart(`${id}-choices`, { blocks: tableBlock(choicesTable(load)) }, "Unspecified behaviour"),
    ...(valid ? trustPart(id, load) : []),
    ...sectionPart(`${id}-plan`, planSection(load), "Plan and machine"),
  ];
};
