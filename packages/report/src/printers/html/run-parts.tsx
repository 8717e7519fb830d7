import { ApiDocument } from "./api-section.tsx";
import { coveredSections } from "./coverage-model.ts";
import { Coverage } from "./coverage-section.tsx";
import { ExchangeTable } from "./exchange-table.tsx";
import { FailureCard, ListedFailure } from "./failure-card.tsx";
import type { FailurePlan } from "./failure-plan.ts";
import { runsWithCoverage, pageCaps } from "./page-caps.ts";
import type { PageRun } from "./page-runs.ts";
import { Folded, type PagePart } from "./page-section.tsx";
import { counted } from "../../document/counted.ts";
import { More, Prose, Name } from "./prose.tsx";
import { Unjudged, unjudgedOf } from "./unjudged-section.tsx";
import { unspecifiedBehaviour } from "@assay/contract";
import type { RunResult } from "@assay/results";
import { unspecifiedChoices, notedChoices } from "../../document/open-choices.ts";
import type { OpenChoice } from "../../document/open-choices.ts";

const unknownOf = new Map<string, string>(unspecifiedBehaviour.map(({ id, unknown }) => [id, unknown]));

interface ListProps {
  readonly caption: string;
  readonly choices: readonly OpenChoice[];
}

const ChoiceTable = ({ caption, choices }: ListProps) =>
  choices.length === 0 ? null : (
    <>
      <table class="choices">
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">Behaviour</th>
            <th scope="col">What this target does</th>
          </tr>
        </thead>
        <tbody>
          {choices.slice(0, pageCaps.items).map(({ name, messages }) => (
            <tr>
              <th scope="row">
                <Name text={name} />
                <span class="title">
                  <Prose text={unknownOf.get(name) ?? ""} />
                </span>
              </th>
              <td>
                {messages.slice(0, 5).map((message) => (
                  <p>
                    <Prose text={message} />
                  </p>
                ))}
                <More count={messages.length - 5} noun="like this" plural="like these" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <More count={choices.length - pageCaps.items} noun="of them" plural="of them" />
    </>
  );

/** Unspecified behaviour of this target, and values that the specification does not list. None of it is a failure. */
const Choices = ({ result }: { readonly result: RunResult }) => (
  <>
    <ChoiceTable caption="What the specification leaves open" choices={unspecifiedChoices(result)} />
    <ChoiceTable caption="Undocumented values" choices={notedChoices(result)} />
  </>
);

/** How many permitted choices a run has recorded. */
const choiceCount = (result: RunResult): number => unspecifiedChoices(result).length + notedChoices(result).length;

/** Sentences about a run as a list. */
const Notes = ({ notes }: { readonly notes: readonly string[] }) => (
  <>
    <ul>
      {notes.slice(0, pageCaps.items).map((note) => (
        <li>
          <Prose text={note} />
        </li>
      ))}
    </ul>
    <More count={notes.length - pageCaps.items} noun="of them" plural="of them" />
  </>
);

/** What is not well in a run, rule by rule; nothing where all is. */
export const failuresPart = ({ key }: PageRun, { full, listed, more }: FailurePlan): readonly PagePart[] => {
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
  return count === 0 ? [] : [{ id: `${key}-failures`, title: "Failures and warnings", count: `${count}`, body }];
};

const choicesPart = ({ key, result }: PageRun): readonly PagePart[] => {
  const count = choiceCount(result);
  return count === 0
    ? []
    : [
        {
          id: `${key}-choices`,
          title: "Unspecified behaviour",
          count: `${count}`,
          body: (
            <Folded
              summary={counted(
                count,
                "behaviour that the specification leaves open",
                "behaviours that the specification leaves open",
              )}
            >
              <Choices result={result} />
            </Folded>
          ),
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
          title: "Not tested",
          count: `${placed.length}`,
          body: (
            <Folded
              summary={`${counted(placed.length, "rule")}, and what ${placed.length === 1 ? "it needs" : "they need"}`}
            >
              <Unjudged placed={placed} />
            </Folded>
          ),
        },
      ];
};

const knownNotesPart = ({ key, result }: PageRun): readonly PagePart[] => {
  const notes = result.knownFailureNotes ?? [];
  return notes.length === 0
    ? []
    : [{ id: `${key}-known`, title: "Known failures that did not occur", body: <Notes notes={notes} /> }];
};

const coveragePart = (run: PageRun): readonly PagePart[] =>
  run.runs > runsWithCoverage
    ? []
    : [
        {
          id: `${run.key}-coverage`,
          title: "Requirements",
          body: <Coverage sections={coveredSections(run)} />,
        },
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
