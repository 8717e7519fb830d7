import type { LoadResult } from "@assay/results";
import type { JSX } from "preact";
import { counted } from "../counted.ts";
import type { PagePart } from "../html/page-section.tsx";
import { Prose } from "../html/prose.tsx";
import { comparisonWords } from "../load/load-words.ts";
import { violationEntries } from "../load/observed-lines.ts";
import { CanaryPart, CleanUpPart, PlanPart, ThresholdsPart } from "./beside-parts.tsx";
import { CdfFigure } from "./cdf-figure.tsx";
import { ComparisonFigure } from "./comparison-figure.tsx";
import { latencyArms, leadingMetrics } from "./latency-arm.ts";
import { metricWords } from "./metric-words.ts";
import { ChoicesPart, RequestsPart, ViolationsPart } from "./requests-part.tsx";
import { TimeFigure } from "./time-figure.tsx";
import { TimingsPart } from "./timings-part.tsx";
import { TrustPart, voidWords } from "./trust-part.tsx";

interface Given {
  readonly id: string;
  readonly load: LoadResult;
  readonly void: string | undefined;
}

const violationParts = ({ id, load }: Given): readonly PagePart[] => {
  const codes = violationEntries(load).length;
  return codes === 0
    ? []
    : [
        {
          id: `${id}-violations`,
          title: "The contract was violated under load",
          count: counted(codes, "code"),
          body: <ViolationsPart load={load} />,
        },
      ];
};

const comparisonParts = ({ id, load: { comparison }, void: stamp }: Given): readonly PagePart[] =>
  comparison === undefined
    ? []
    : [
        {
          id: `${id}-comparison`,
          title: `Comparison: ${stamp === undefined ? comparisonWords[comparison.verdict].word : "does not count"}`,
          body: <ComparisonFigure id={`${id}-comparison`} comparison={comparison} void={stamp} />,
        },
      ];

const Distributions = ({ id, load, void: stamp }: Given): JSX.Element => {
  const figures = leadingMetrics(load).flatMap((metric) => {
    const arms = latencyArms(load, metric);
    return arms.length === 0
      ? []
      : [<CdfFigure id={`${id}-cdf-${metric}`} name={metricWords[metric]} arms={arms} void={stamp} />];
  });
  return figures.length === 0 ? (
    <p>There are no histograms: nothing was measured, or a stock k6 made the load, which keeps none.</p>
  ) : (
    <>{figures}</>
  );
};

const figureParts = (given: Given): readonly PagePart[] => {
  const { id, load, void: stamp } = given;
  const mark = stamp === undefined ? "" : " (not to be used)";
  return [
    { id: `${id}-timings`, title: `Timings${mark}`, body: <TimingsPart load={load} /> },
    { id: `${id}-spread`, title: `How the times are spread${mark}`, body: <Distributions {...given} /> },
    {
      id: `${id}-course`,
      title: `Over time${mark}`,
      body:
        load.intervals.length === 0 ? (
          <p>What happened when is not known: the run has no intervals.</p>
        ) : (
          <TimeFigure id={`${id}-time`} load={load} void={stamp} />
        ),
    },
  ];
};

const besideParts = ({ id, load }: Given): readonly PagePart[] => [
  { id: `${id}-requests`, title: "How the requests ended", body: <RequestsPart load={load} /> },
  ...(load.thresholds.length === 0
    ? []
    : [{ id: `${id}-limits`, title: "Limits", body: <ThresholdsPart load={load} /> }]),
  ...(load.canary === undefined
    ? []
    : [{ id: `${id}-canary`, title: "Judges beside the load", body: <CanaryPart canary={load.canary} /> }]),
  ...(load.cleanUp === undefined
    ? []
    : [{ id: `${id}-cleanup`, title: "Clean-up", body: <CleanUpPart cleanUp={load.cleanUp} /> }]),
  ...(Object.values(load.observations).some((count) => count > 0)
    ? [{ id: `${id}-choices`, title: "Choices the documents leave open", body: <ChoicesPart load={load} /> }]
    : []),
];

const planPart = ({ id, load }: Given): PagePart => ({
  id: `${id}-plan`,
  title: "Plan and machine",
  body: <PlanPart load={load} />,
});

const kneeParts = ({ id, load: { knee } }: Given): readonly PagePart[] =>
  knee === undefined
    ? []
    : [
        {
          id: `${id}-knee`,
          title: "Where the limit of the target lies",
          body: (
            <p>
              <Prose text={knee.sentence} />
            </p>
          ),
        },
      ];

const trustPart = ({ id, load }: Given): PagePart => {
  const { valid, checks } = load.trust;
  const met = checks.filter(({ ok }) => ok === true).length;
  return {
    id: `${id}-trust`,
    title: valid ? "The figures can be trusted" : "The figures cannot be trusted",
    count: `${met} of ${checks.length}`,
    body: <TrustPart load={load} />,
  };
};

/**
 * The parts of a load run below its strip, what decides first. Of an invalid run that is why it is invalid, and every figure of
 * it says that it is not to be used.
 */
export const loadParts = (id: string, load: LoadResult): readonly PagePart[] => {
  const { valid } = load.trust;
  const given: Given = { id, load, void: valid ? undefined : voidWords };
  return [
    ...(valid ? [] : [trustPart(given)]),
    ...violationParts(given),
    ...comparisonParts(given),
    ...kneeParts(given),
    ...figureParts(given),
    ...besideParts(given),
    ...(valid ? [trustPart(given)] : []),
    planPart(given),
  ];
};
