import { ApiDocument } from "./api-section.tsx";
import { choiceCount, Choices } from "./choices-section.tsx";
import { coveredSections } from "./coverage-model.ts";
import { Coverage } from "./coverage-section.tsx";
import { ExchangeTable } from "./exchange-table.tsx";
import { FailureCard, ListedFailure } from "./failure-card.tsx";
import type { FailurePlan } from "./failure-plan.ts";
import { figureParts } from "./figure-parts.tsx";
import { Notes } from "./notes.tsx";
import { runsWithCoverage } from "./page-caps.ts";
import type { PageRun } from "./page-runs.ts";
import type { PagePart } from "./page-section.tsx";
import { More } from "./prose.tsx";
import { Unjudged, unjudgedOf } from "./unjudged-section.tsx";

const failuresPart = ({ key }: PageRun, { full, listed, more }: FailurePlan): readonly PagePart[] => {
  const count = full.length + listed.length + more;
  const body = (
    <>
      {full.map((planned) => (
        <FailureCard planned={planned} />
      ))}
      {listed.length === 0 ? null : (
        <ul class="listed">
          {listed.map((placed) => (
            <ListedFailure placed={placed} />
          ))}
        </ul>
      )}
      <More count={more} noun="rule" />
    </>
  );
  return count === 0 ? [] : [{ id: `${key}-failures`, title: "Violations and warnings", count: `${count}`, body }];
};

const choicesPart = ({ key, result }: PageRun): readonly PagePart[] => {
  const count = choiceCount(result);
  return count === 0
    ? []
    : [
        {
          id: `${key}-choices`,
          title: "Choices the documents leave open",
          count: `${count}`,
          body: <Choices result={result} />,
        },
      ];
};

const unjudgedPart = (run: PageRun): readonly PagePart[] => {
  const placed = unjudgedOf(run);
  return placed.length === 0
    ? []
    : [
        {
          id: `${run.key}-unjudged`,
          title: "What could not be judged",
          count: `${placed.length}`,
          body: <Unjudged placed={placed} />,
        },
      ];
};

const knownNotesPart = ({ key, result }: PageRun): readonly PagePart[] => {
  const notes = result.knownFailureNotes ?? [];
  return notes.length === 0
    ? []
    : [{ id: `${key}-known`, title: "Known failures that did not show", body: <Notes notes={notes} /> }];
};

const coveragePart = (run: PageRun): readonly PagePart[] =>
  run.runs > runsWithCoverage
    ? []
    : [
        {
          id: `${run.key}-coverage`,
          title: "Sentences of the documents",
          body: <Coverage sections={coveredSections(run)} />,
        },
      ];

/** Parts of one run that stand before its table of rules. */
export const partsBefore = (run: PageRun, plan: FailurePlan): readonly PagePart[] => [
  ...failuresPart(run, plan),
  ...figureParts(run),
];

/** Parts of one run that stand after its table of rules. */
export const partsAfter = (run: PageRun): readonly PagePart[] => {
  const { key, result } = run;
  const { openapi, exchanges } = result;
  return [
    ...unjudgedPart(run),
    ...coveragePart(run),
    ...choicesPart(run),
    ...knownNotesPart(run),
    ...(openapi === undefined
      ? []
      : [{ id: `${key}-openapi`, title: "OpenAPI document", body: <ApiDocument openapi={openapi} /> }]),
    ...(exchanges.length === 0
      ? []
      : [
          {
            id: `${key}-exchanges`,
            title: "Exchanges",
            count: `${exchanges.length}`,
            body: <ExchangeTable run={run} />,
          },
        ]),
  ];
};
