import { counted } from "../../document/counted.ts";
import type { Detail } from "../../document/run-sections.ts";
import { requiredSection } from "../../document/brief-sections.ts";
import {
  apiDocumentSection,
  knownNotesSection,
  leftOpenSection,
  newValuesSection,
  unjudgedSection,
} from "../../document/run-sections.ts";
import { notedChoices, unspecifiedChoices } from "../../document/open-choices.ts";
import { isJudged } from "@assay/results";
import { coveredSections } from "./coverage-model.ts";
import { Coverage } from "./coverage-section.tsx";
import { ExchangeTable } from "./exchange-table.tsx";
import { FailureCard, ListedFailure } from "./failure-card.tsx";
import type { FailurePlan } from "./failure-plan.ts";
import { pageCaps, maxRunsWithCoverage } from "./page-caps.ts";
import { detailId, exchangeRowId, type PageRun } from "./page-runs.ts";
import { Folded, type PagePart } from "./page-section.tsx";
import { HtmlSection, NameLinks, sectionPart } from "./print-html.tsx";
import { More } from "./prose.tsx";

/** How much of a result the page shows. */
const detail: Detail = {
  entries: pageCaps.items,
  choices: pageCaps.items,
  messages: 5,
  findings: pageCaps.fullFindings,
  rules: pageCaps.rulesOfGroup,
  where: "",
  isWhole: true,
};

/** Links from names of rules and exchanges to their places on the page. */
const linksOf = (run: PageRun): ((name: string) => string | undefined) => {
  const rules = new Map(
    run.result.verdicts.map((rule, index) => [rule.rule, detailId({ run, index, rule })] as const).toReversed(),
  );
  return (name) => {
    const id = rules.get(name) ?? exchangeRowId(run, name);
    return id === undefined ? undefined : `#${id}`;
  };
};

/** The failures and warnings of a run, rule by rule; none if all rules passed. */
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

const unjudgedPart = (run: PageRun): readonly PagePart[] => {
  const { verdicts } = run.result;
  const count = verdicts.filter((rule) => !isJudged(rule)).length;
  const { blocks } = unjudgedSection(verdicts, detail);
  return count === 0
    ? []
    : [
        {
          id: `${run.key}-unjudged`,
          title: "Not tested",
          count: `${count}`,
          body: (
            <NameLinks.Provider value={linksOf(run)}>
              <Folded summary={`${counted(count, "rule")}, and what ${count === 1 ? "it needs" : "they need"}`}>
                <HtmlSection section={requiredSection(verdicts)} />
                <HtmlSection section={{ blocks }} />
              </Folded>
            </NameLinks.Provider>
          ),
        },
      ];
};

const choicesPart = ({ key, result }: PageRun): readonly PagePart[] => {
  const count = unspecifiedChoices(result).length + notedChoices(result).length;
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
              <HtmlSection section={leftOpenSection(result, detail)} />
              <HtmlSection section={newValuesSection(result, { ...detail, isWhole: false })} />
            </Folded>
          ),
        },
      ];
};

const coveragePart = (run: PageRun): readonly PagePart[] =>
  run.runs > maxRunsWithCoverage
    ? []
    : [{ id: `${run.key}-coverage`, title: "Requirements", body: <Coverage sections={coveredSections(run)} /> }];

/** The parts of one run after its table of rules. */
export const partsAfter = (run: PageRun): readonly PagePart[] => {
  const { key, result } = run;
  const { exchanges } = result;
  return [
    ...unjudgedPart(run),
    ...coveragePart(run),
    ...choicesPart(run),
    ...sectionPart(`${key}-known`, knownNotesSection(result, detail)),
    ...sectionPart(`${key}-openapi`, apiDocumentSection(result, detail)),
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
