import type { LoadResult } from "@assay/results";
import type { ComponentChildren, JSX } from "preact";
import { counted } from "../../document/counted.ts";
import { fold, type Section, createTableBlock, paragraph } from "../../document/document.ts";
import { describeArrival, isUnsent, listViolations, getLoadValidity } from "../../document/load-facts.ts";
import { hasComparisonHeadline } from "../../document/load-headline.ts";
import { createLoadJudgementSection } from "../../document/load-judgement-section.ts";
import { createKnownFailureSections } from "../../document/load-known-sections.ts";
import {
  createCanarySection,
  createCleanUpSection,
  createContractSection,
  createKneeSection,
  createLoadRequestsSection,
  createThresholdsSection,
  createTimingsSection,
  createTrustSection,
} from "../../document/load-sections.ts";
import { createChoicesTable, createPlanTable } from "../../document/load-tables.ts";
import { comparisonWords, metricWords } from "../../document/load-words.ts";
import type { PagePart } from "../../printers/html/page-section.tsx";
import { HtmlSection, createSectionPart } from "../../printers/html/print-html.tsx";
import { CdfFigure } from "./cdf-figure.tsx";
import { ComparisonFigure } from "./comparison-figure.tsx";
import { createLatencySides, selectLeadingMetrics } from "./latency-side.ts";
import { TimeFigure } from "./time-figure.tsx";

/** Stamps across figures that must not be used. */
const stamps = {
  ok: undefined,
  undecided: "UNDECIDED: too few samples",
  invalid: "INVALID: not to be used",
} as const;

const Distributions = ({ id, load }: { readonly id: string; readonly load: LoadResult }): JSX.Element => {
  const figures = selectLeadingMetrics(load).flatMap((metric) => {
    const sides = createLatencySides(load, metric);
    return sides.length === 0
      ? []
      : [
          <CdfFigure
            id={`${id}-cdf-${metric}`}
            name={metricWords[metric]}
            sides={sides}
            stamp={stamps[getLoadValidity(load)]}
          />,
        ];
  });
  return figures.length === 0 ? <p>There are no histograms: nothing was measured.</p> : <>{figures}</>;
};

const createFigureParts = (id: string, load: LoadResult): readonly PagePart[] => {
  if (isUnsent(load)) {
    return [];
  }
  const titleSuffix = getLoadValidity(load) === "invalid" ? " (not to be used)" : "";
  return [
    ...createSectionPart(`${id}-timings`, createTimingsSection(load), `Timings${titleSuffix}`),
    { id: `${id}-spread`, title: `Latency distribution${titleSuffix}`, body: <Distributions id={id} load={load} /> },
    {
      id: `${id}-course`,
      title: `Over time${titleSuffix}`,
      body:
        load.intervals.length === 0 ? (
          <p>There is no course over time, because the run has no intervals.</p>
        ) : (
          <TimeFigure id={`${id}-time`} load={load} stamp={stamps[getLoadValidity(load)]} />
        ),
    },
  ];
};

const createComparisonPart = (id: string, load: LoadResult): readonly PagePart[] => {
  const { comparison } = load;
  const stamp = stamps[getLoadValidity(load)];
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

const createSaturationSection = (load: LoadResult): Section => {
  const { saturation, trust } = load;
  // In an invalid run its advice would contradict the advice about the generator.
  return {
    title: "The target is saturated",
    blocks: saturation === undefined || !trust.valid || hasAccessProblem(load) ? [] : [paragraph(saturation.sentence)],
  };
};

const createKnownPart = (id: string, load: LoadResult): readonly PagePart[] => {
  const sections = createKnownFailureSections(load).filter(({ blocks }) => blocks.length > 0);
  const body: ComponentChildren = sections.map((section) => <HtmlSection section={section} />);
  return sections.length === 0 ? [] : [{ id: `${id}-known`, title: "Known failures", body }];
};

const trustTitles = {
  ok: "Generator ok",
  undecided: "Undecided: too few samples",
  invalid: "Invalid: conditions of the load failed",
} as const;

const createTrustPart = (id: string, load: LoadResult): readonly PagePart[] =>
  createSectionPart(`${id}-trust`, createTrustSection(load, false), trustTitles[getLoadValidity(load)]);

const createPlanSection = (load: LoadResult): Section => ({
  blocks: fold(`${describeArrival(load.plan)}; machine, versions and digests`, createTableBlock(createPlanTable(load))),
});

/** Returns the parts of a load run below its strip, most decisive first. For an invalid run that is the reason it is invalid. */
export const createLoadParts = (id: string, load: LoadResult): readonly PagePart[] => {
  const { valid } = load.trust;
  const hasFailedRule = (load.judgement?.broken.length ?? 0) > 0;
  const judgement = createSectionPart(`${id}-judgement`, createLoadJudgementSection(load, true));
  const codes = counted(listViolations(load).length, "code");
  return [
    ...(valid ? [] : createTrustPart(id, load)),
    ...createSectionPart(`${id}-violations`, createContractSection(load)).map((part) => ({ ...part, count: codes })),
    ...(hasFailedRule ? judgement : []),
    ...createComparisonPart(id, load),
    ...createSectionPart(`${id}-saturation`, createSaturationSection(load)),
    ...createSectionPart(`${id}-knee`, createKneeSection(load), "Capacity of the target"),
    ...createFigureParts(id, load),
    ...createSectionPart(`${id}-requests`, createLoadRequestsSection(load), "Requests by outcome"),
    ...createSectionPart(`${id}-limits`, createThresholdsSection(load)),
    ...(hasFailedRule ? [] : judgement),
    ...createKnownPart(id, load),
    ...createSectionPart(`${id}-canary`, createCanarySection(load), "Contract checks during the load"),
    ...createSectionPart(`${id}-cleanup`, createCleanUpSection(load)),
    ...createSectionPart(
      `${id}-choices`,
      { blocks: createTableBlock(createChoicesTable(load)) },
      "Unspecified behaviour",
    ),
    ...(valid ? createTrustPart(id, load) : []),
    ...createSectionPart(`${id}-plan`, createPlanSection(load), "Plan and machine"),
  ];
};
