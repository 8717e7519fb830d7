import type { LoadResult, LoadMetric, Percentile, TrustCheck } from "@assay/results";
import type { JSX, ComponentChildren } from "preact";
import { counted } from "../../document/counted.ts";
import { Folded, type PagePart } from "../../printers/html/page-section.tsx";
import { hasComparisonHeadline, worthOf, worthWords } from "../../document/load-headline.ts";
import { Prose } from "../../printers/html/prose.tsx";
import { judgementTitle } from "../../document/load-judgement-section.ts";
import { comparisonWords } from "../../document/load-words.ts";
import { isUnsent, mostText, violationEntries } from "../../document/load-sections.ts";
import {
  CanaryPart,
  CleanUpPart,
  isAnythingKnown,
  JudgementPart,
  KnownPart,
  PlanPart,
  ThresholdsPart,
} from "./beside-parts.tsx";
import { CdfFigure } from "./cdf-figure.tsx";
import { ComparisonFigure } from "./comparison-figure.tsx";
import { latencyArms, leadingMetrics, armMarks } from "./latency-arm.ts";
import { metricWords } from "./metric-words.ts";
import { ChoicesPart, RequestsPart, ViolationsPart } from "./requests-part.tsx";
import { TimeFigure } from "./time-figure.tsx";
import { groupedNumber } from "../../printers/html/grouped-number.ts";
import { msText, shareText } from "../../document/shown-number.ts";
import { shownText } from "../../document/shown-text.ts";
import { DataTable } from "../data-table.tsx";
import { percentileText } from "./percentile-text.ts";
import { arrivalSentence, generatorText } from "../../document/load-sections.ts";

/** The stamp across every figure of an invalid run. */
const voidWords = {
  ok: undefined,
  undecided: "UNDECIDED: too few samples",
  invalid: "INVALID: not to be used",
} as const;

const checkNames: Readonly<Record<string, string>> = {
  "arms-end-alike": "failure rates similar",
  "warm-up-is-flat": "no warm-up trend",
};

/** The name of a condition for people. */
const conditionName = (check: string): string =>
  Object.hasOwn(checkNames, check) ? (checkNames[check] ?? "") : shownText(check, "name").replaceAll("-", " ");

const standing = ({ ok }: TrustCheck): string => {
  if (ok === undefined) {
    return "– not checked";
  }
  return ok ? "✓ ok" : "✗ not ok";
};

/** A value or limit of a check with its unit; a dash for none. */
const quantity = (value: number | undefined, unit: TrustCheck["unit"]): string => {
  switch (unit) {
    case "fraction":
      return shareText(value, 2).replace(" ", "\u00A0");
    case "ms":
      return value === undefined ? "-" : `${msText(value)}\u00A0ms`;
    case "count":
    case undefined:
      return value === undefined ? "-" : String(value);
  }
};

const ordered = (checks: readonly TrustCheck[]): readonly TrustCheck[] => [
  ...checks.filter(({ ok }) => ok === false),
  ...checks.filter(({ ok }) => ok === undefined),
  ...checks.filter(({ ok }) => ok === true),
];

const conditionTable = (load: LoadResult): JSX.Element => (
  <DataTable
    caption="Conditions of a valid load"
    head={["condition", "result", "value", "limit", "what was found"]}
    rows={ordered(load.trust.checks).map((check) => [
      conditionName(check.check),
      standing(check),
      quantity(check.value, check.unit),
      quantity(check.limit, check.unit),
      <Prose text={check.sentence} />,
    ])}
  />
);

const reasons = {
  ok: undefined,
  undecided: "Too few samples came for a verdict on speed. The figures are those of the requests that were measured.",
  invalid:
    "This run is invalid: its figures are shown to find out why, and are not to be used. It has no verdict on speed.",
} as const;

/** Whether the generator kept up: one line for each condition that failed or does not apply; all folded if all passed. */
const TrustPart = ({ load }: { readonly load: LoadResult }): JSX.Element => {
  const { checks } = load.trust;
  const worth = worthOf(load);
  const reason = reasons[worth];
  const met = checks.filter(({ ok }) => ok === true).length;
  return (
    <>
      {reason === undefined ? null : (
        <div class={`notice t-${worth === "invalid" ? "bad" : "unknown"}`}>
          <p>
            <b>
              {worthWords[worth].sign} {reason}
            </b>
          </p>
        </div>
      )}
      {checks.length === 0 ? <p>No condition was checked.</p> : null}
      {worth === "ok" && checks.length > 0 ? (
        <>
          <ul class="listed">
            {checks
              .filter(({ ok }) => ok !== true)
              .map(({ check, ok, sentence }) => (
                <li>
                  {ok === false ? "✗" : "–"} {conditionName(check)}
                  {ok === false ? ": " : " not checked: "}
                  <Prose text={sentence} />
                </li>
              ))}
          </ul>
          <Folded summary={`✓ ${counted(met, "condition")} passed`}>{conditionTable(load)}</Folded>
        </>
      ) : null}
      {worth !== "ok" && checks.length > 0 ? conditionTable(load) : null}
      <p>{shownText(generatorText(load))}</p>
    </>
  );
};

const meaning = (name: string): string => {
  const known = Object.entries(metricWords).find(([metric]) => metric === name);
  return known === undefined ? "" : known[1];
};

/** A figure, struck out if it must not be used. */
const figure = (text: string, valid: boolean): ComponentChildren => (valid || text === "-" ? text : <s>{text}</s>);

interface RowForm {
  readonly valid: boolean;
  readonly paired: boolean;
  /** True if anything is censored. */
  readonly later: boolean;
}

const rowOf = (metric: LoadMetric, { valid, paired, later }: RowForm) => {
  const percentiles: readonly (Percentile | undefined)[] = [metric.p50, metric.p95, metric.p99];
  return [
    <>
      {shownText(metric.metric, "name")} <small>{meaning(metric.metric)}</small>
    </>,
    ...(paired ? [armMarks[metric.arm].word] : []),
    groupedNumber(metric.count),
    ...(later ? [groupedNumber(metric.later?.count ?? 0)] : []),
    // With censored values neither is known.
    figure(metric.later === undefined ? msText(metric.meanMs) : "-", valid),
    figure(metric.count === 0 ? "-" : msText(metric.minMs), valid),
    ...percentiles.map((percentile) => figure(percentileText(percentile), valid)),
    figure(mostText(metric), valid),
  ];
};

/** The timings of the measured part as a table; struck out where the run is invalid. */
const TimingsPart = ({ load }: { readonly load: LoadResult }): JSX.Element => {
  const metrics = load.metrics.filter(({ count, later }) => count > 0 || later !== undefined);
  const later = metrics.some((metric) => metric.later !== undefined);
  const valid = worthOf(load) !== "invalid";
  const paired = load.run.against !== undefined;
  const caption = "Timings of the measured part, in ms";
  return metrics.length === 0 ? (
    <p>Nothing was measured.</p>
  ) : (
    <>
      <DataTable
        caption={worthOf(load) === "invalid" ? `NOT TO BE USED, the run is invalid. ${caption}` : caption}
        head={[
          "metric",
          ...(paired ? ["arm"] : []),
          "n",
          ...(later ? ["not come"] : []),
          "mean",
          "min",
          "p50",
          "p95",
          "p99",
          "max",
        ]}
        rows={metrics.map((metric) => rowOf(metric, { valid, paired, later }))}
      />
      <p class="fig-caption">
        From the planned sending; in brackets the 95 % interval (order statistics). A dash: too few samples (20 for p50,
        100 for p95, 500 for p99).
        {later
          ? " Percentiles include requests that had not finished when measuring stopped: > means slower than that."
          : ""}
      </p>
    </>
  );
};

interface LoadPartProps {
  readonly id: string;
  readonly load: LoadResult;
  readonly void: string | undefined;
}

const violationParts = ({ id, load }: LoadPartProps): readonly PagePart[] => {
  const codes = violationEntries(load).length;
  return codes === 0
    ? []
    : [
        {
          id: `${id}-violations`,
          title: "Violations under load",
          count: counted(codes, "code"),
          body: <ViolationsPart load={load} />,
        },
      ];
};

const comparisonParts = ({ id, load, void: stamp }: LoadPartProps): readonly PagePart[] =>
  load.comparison === undefined
    ? []
    : [
        {
          id: `${id}-comparison`,
          title: `Comparison: ${stamp === undefined ? comparisonWords[load.comparison.verdict].word : "does not count"}`,
          body: (
            <ComparisonFigure
              id={`${id}-comparison`}
              comparison={load.comparison}
              isHeaded={hasComparisonHeadline(load)}
              void={stamp}
            />
          ),
        },
      ];

const Distributions = ({ id, load, void: stamp }: LoadPartProps): JSX.Element => {
  const figures = leadingMetrics(load).flatMap((metric) => {
    const arms = latencyArms(load, metric);
    return arms.length === 0
      ? []
      : [<CdfFigure id={`${id}-cdf-${metric}`} name={metricWords[metric]} arms={arms} void={stamp} />];
  });
  return figures.length === 0 ? <p>There are no histograms, because nothing was measured.</p> : <>{figures}</>;
};

const figureParts = (given: LoadPartProps): readonly PagePart[] => {
  const { id, load, void: stamp } = given;
  if (isUnsent(load)) {
    return [];
  }
  const mark = worthOf(load) === "invalid" ? " (not to be used)" : "";
  return [
    { id: `${id}-timings`, title: `Timings${mark}`, body: <TimingsPart load={load} /> },
    { id: `${id}-spread`, title: `Latency distribution${mark}`, body: <Distributions {...given} /> },
    {
      id: `${id}-course`,
      title: `Over time${mark}`,
      body:
        load.intervals.length === 0 ? (
          <p>There is no course over time, because the run has no intervals.</p>
        ) : (
          <TimeFigure id={`${id}-time`} load={load} void={stamp} />
        ),
    },
  ];
};

const hasBroken = ({ judgement }: LoadResult): boolean => (judgement?.broken.length ?? 0) > 0;

const judgementParts = ({ id, load }: Omit<LoadPartProps, "void">): readonly PagePart[] =>
  isUnsent(load) || (load.judgement === undefined && load.unjudged === undefined)
    ? []
    : [{ id: `${id}-judgement`, title: judgementTitle, body: <JudgementPart load={load} /> }];

const besideParts = ({ id, load }: LoadPartProps): readonly PagePart[] => [
  ...(isUnsent(load)
    ? []
    : [{ id: `${id}-requests`, title: "Requests by outcome", body: <RequestsPart load={load} /> }]),
  ...(load.thresholds.length === 0 || isUnsent(load)
    ? []
    : [{ id: `${id}-limits`, title: "Thresholds", body: <ThresholdsPart load={load} /> }]),
  ...(hasBroken(load) ? [] : judgementParts({ id, load })),
  ...(isAnythingKnown(load) ? [{ id: `${id}-known`, title: "Known failures", body: <KnownPart load={load} /> }] : []),
  ...(load.canary === undefined || (isUnsent(load) && load.canary.exchanges === 0)
    ? []
    : [{ id: `${id}-canary`, title: "Contract checks during the load", body: <CanaryPart canary={load.canary} /> }]),
  ...(load.cleanUp === undefined
    ? []
    : [{ id: `${id}-cleanup`, title: "Clean-up", body: <CleanUpPart cleanUp={load.cleanUp} /> }]),
  ...(Object.values(load.observations).some((count) => count > 0)
    ? [{ id: `${id}-choices`, title: "Unspecified behaviour", body: <ChoicesPart load={load} /> }]
    : []),
];

const planPart = ({ id, load }: LoadPartProps): PagePart => ({
  id: `${id}-plan`,
  title: "Plan and machine",
  body: (
    <Folded summary={`${shownText(arrivalSentence(load.plan))}; machine, versions and digests`}>
      <PlanPart load={load} />
    </Folded>
  ),
});

/** True if arrivals were held back by a login page or an expired token, not by an overloaded target. */
const isOfOthers = ({ incomplete }: LoadResult): boolean =>
  incomplete.some(({ code }) => code === "not-the-api" || code === "authentication-refused");

const saturationParts = ({ id, load }: LoadPartProps): readonly PagePart[] => {
  const { saturation, trust } = load;
  // Together with a failed generator check it would be contradictory advice.
  return saturation === undefined || !trust.valid || isOfOthers(load)
    ? []
    : [
        {
          id: `${id}-saturation`,
          title: "The target is saturated",
          body: (
            <p>
              <Prose text={saturation.sentence} />
            </p>
          ),
        },
      ];
};

const kneeParts = ({ id, load: { knee } }: LoadPartProps): readonly PagePart[] =>
  knee === undefined
    ? []
    : [
        {
          id: `${id}-knee`,
          title: "Capacity of the target",
          body: (
            <p>
              <Prose text={knee.sentence} />
            </p>
          ),
        },
      ];

const trustPart = ({ id, load }: LoadPartProps): PagePart => {
  const titles = {
    ok: "Generator ok",
    undecided: "Undecided: too few samples",
    invalid: "Invalid: conditions of the load failed",
  };
  return { id: `${id}-trust`, title: titles[worthOf(load)], body: <TrustPart load={load} /> };
};

/**
 * The parts of a load run below its strip, the deciding ones first. For an invalid run these are the reasons, and every
 * figure is marked as not to be used.
 */
export const loadParts = (id: string, load: LoadResult): readonly PagePart[] => {
  const { valid } = load.trust;
  const given: LoadPartProps = { id, load, void: voidWords[worthOf(load)] };
  return [
    ...(valid ? [] : [trustPart(given)]),
    ...violationParts(given),
    ...(hasBroken(load) ? judgementParts(given) : []),
    ...comparisonParts(given),
    ...saturationParts(given),
    ...kneeParts(given),
    ...figureParts(given),
    ...besideParts(given),
    ...(valid ? [trustPart(given)] : []),
    planPart(given),
  ];
};
