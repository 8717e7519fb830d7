import { counted } from "../../document/counted.ts";
import type { DetailLimits } from "../../document/run-sections.ts";
import { createRequiredSection } from "../../document/brief-sections.ts";
import {
  createApiDocumentSection,
  createKnownNotesSection,
  createUnspecifiedSection,
  createUndocumentedValuesSection,
  createUnjudgedSection,
} from "../../document/run-sections.ts";
import { listNotedChoices, listUnspecifiedChoices } from "../../document/target-choices.ts";
import { isJudged } from "@assay/results";
import { listCoveredSections } from "./coverage-model.ts";
import { Coverage } from "./coverage-section.tsx";
import { ExchangeTable } from "./exchange-table.tsx";
import { FailureCard, ListedFailure } from "./failure-card.tsx";
import type { FailurePlan } from "./failure-plan.ts";
import { pageCaps, maxRunsWithCoverage } from "./page-caps.ts";
import { createDetailId, createExchangeRowId, type PageRun } from "./page-runs.ts";
import { Folded, type PagePart } from "./page-section.tsx";
import { HtmlSection, NameLinkContext, createSectionPart } from "./print-html.tsx";
import { More } from "./prose.tsx";

/** Limits on the details of a result on the page. */
const pageLimits: DetailLimits = {
  entries: pageCaps.items,
  choices: pageCaps.items,
  messages: 5,
  findings: pageCaps.fullFindings,
  rules: pageCaps.rulesOfGroup,
  restHint: "",
  showAll: true,
};

/** Returns a lookup from names of rules and exchanges to links on the page. */
const nameLinks = (run: PageRun): ((name: string) => string | undefined) => {
  const rules = new Map(
    run.result.verdicts.map((rule, index) => [rule.rule, createDetailId({ run, index, rule })] as const).toReversed(),
  );
  return (name) => {
    const id = rules.get(name) ?? createExchangeRowId(run, name);
    return id === undefined ? undefined : `#${id}`;
  };
};

/** Shows the failures and warnings of a run, rule by rule. Returns no part if all rules passed. */
export const createFailuresPart = (
  { key }: PageRun,
  { fullFailures, listedFailures, omittedCount }: FailurePlan,
): readonly PagePart[] => {
  const count = fullFailures.length + listedFailures.length + omittedCount;
  const body = (
    <>
      {fullFailures.map((planned) => (
        <FailureCard planned={planned} />
      ))}
      {listedFailures.length === 0 ? null : (
        <ul class="listed">
          {listedFailures.map((placed) => (
            <ListedFailure placed={placed} />
          ))}
        </ul>
      )}
      <More count={omittedCount} noun="rule" />
    </>
  );
  return count === 0 ? [] : [{ id: `${key}-failures`, title: "Failures and warnings", count: `${count}`, body }];
};

const createUnjudgedPart = (run: PageRun): readonly PagePart[] => {
  const { verdicts } = run.result;
  const count = verdicts.filter((rule) => !isJudged(rule)).length;
  const { blocks } = createUnjudgedSection(verdicts, pageLimits);
  return count === 0
    ? []
    : [
        {
          id: `${run.key}-unjudged`,
          title: "Not tested",
          count: `${count}`,
          body: (
            <NameLinkContext.Provider value={nameLinks(run)}>
              <Folded summary={`${counted(count, "rule")}, and what ${count === 1 ? "it needs" : "they need"}`}>
                <HtmlSection section={createRequiredSection(verdicts)} />
                <HtmlSection section={{ blocks }} />
              </Folded>
            </NameLinkContext.Provider>
          ),
        },
      ];
};

const createChoicesPart = ({ key, result }: PageRun): readonly PagePart[] => {
  const count = listUnspecifiedChoices(result).length + listNotedChoices(result).length;
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
              <HtmlSection section={createUnspecifiedSection(result, pageLimits)} />
              <HtmlSection section={createUndocumentedValuesSection(result, { ...pageLimits, showAll: false })} />
            </Folded>
          ),
        },
      ];
};

const createCoveragePart = (run: PageRun): readonly PagePart[] =>
  run.runCount > maxRunsWithCoverage
    ? []
    : [{ id: `${run.key}-coverage`, title: "Requirements", body: <Coverage sections={listCoveredSections(run)} /> }];

/** Returns the parts of one run after its table of rules. */
export const createDetailParts = (run: PageRun): readonly PagePart[] => {
  const { key, result } = run;
  const { exchanges } = result;
  return [
    ...createUnjudgedPart(run),
    ...createCoveragePart(run),
    ...createChoicesPart(run),
    ...createSectionPart(`${key}-known`, createKnownNotesSection(result, pageLimits)),
    ...createSectionPart(`${key}-openapi`, createApiDocumentSection(result, pageLimits)),
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
