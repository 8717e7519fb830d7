import { ruleStanding } from "@assay/results";
import { counted } from "../../document/counted.ts";
import { verdictWords } from "../../document/outcome-words.ts";
import type { CoveredSection, JudgedRequirement, RequirementStanding } from "./coverage-model.ts";
import { type Colour, palette } from "./palette.ts";
import { createDetailId, type PlacedVerdict } from "./page-runs.ts";
import { Folded } from "./page-section.tsx";
import { Name, Prose } from "./prose.tsx";
import { getSpecificationName, getSectionName } from "../../document/section-names.ts";
import { pageSigns } from "./standing-badge.tsx";

const standings: readonly { readonly standing: RequirementStanding; readonly word: string; readonly colour: Colour }[] =
  [
    { standing: "passed", word: "passed", colour: "good" },
    { standing: "failed", word: "failed", colour: "bad" },
    { standing: "unjudged", word: "not tested in this run", colour: "unknown" },
    { standing: "unspecified", word: "unspecified", colour: "warn" },
    { standing: "not-observable", word: "not testable from outside", colour: "muted" },
  ];

const countWithStanding = (requirements: readonly JudgedRequirement[], standing: RequirementStanding): number =>
  requirements.filter((requirement) => requirement.standing === standing).length;

const roundToTenth = (value: number): number => Math.round(value * 10) / 10;

interface BarProps {
  readonly requirements: readonly JudgedRequirement[];
  readonly width: number;
}

/** Shows the shares of the requirements as one bar. The key has the same numbers in words. */
const Bar = ({ requirements, width }: BarProps) => {
  const counts = standings.map(({ standing }) => countWithStanding(requirements, standing));
  const countBefore = (index: number) => counts.slice(0, index).reduce((sum, count) => sum + count, 0);
  const scale = width / Math.max(1, requirements.length);
  return (
    <svg class="bar" viewBox={`0 0 ${width} 10`} width="100%" height="10" preserveAspectRatio="none" aria-hidden="true">
      {standings.map(({ colour }, index) => {
        const count = counts[index] ?? 0;
        const x = roundToTenth(countBefore(index) * scale);
        return count === 0 ? null : (
          <rect x={x} y="0" width={roundToTenth(count * scale)} height="10" fill={palette[colour]} />
        );
      })}
    </svg>
  );
};

const StandingKey = ({ requirements }: { readonly requirements: readonly JudgedRequirement[] }) => (
  <ul class="key">
    {standings.map(({ standing, word, colour }) => (
      <li>
        <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
          <rect width="12" height="12" rx="3" fill={palette[colour]} />
        </svg>
        <b>{countWithStanding(requirements, standing)}</b> {word}
      </li>
    ))}
  </ul>
);

const RuleLink = ({ placed: placedVerdict }: { readonly placed: PlacedVerdict }) => {
  const standing = ruleStanding(placedVerdict.rule);
  return (
    <a class={`rule s-${standing}`} href={`#${createDetailId(placedVerdict)}`}>
      <i aria-hidden="true">{pageSigns[standing]}</i>
      <Name text={placedVerdict.rule.rule} />
      <span class="unseen"> {verdictWords[standing].word}</span>
    </a>
  );
};

const RequirementResult = ({
  judgedRequirement: { requirement, verdicts, unselected },
}: {
  readonly judgedRequirement: JudgedRequirement;
}) => {
  const { coverage } = requirement;
  switch (coverage.kind) {
    case "unspecified":
      return (
        <>
          left open: <Name text={coverage.behaviour} />
        </>
      );
    case "not-observable":
      return <Prose text={`not observable: ${coverage.reason}`} />;
    case "rules":
      return (
        <>
          {verdicts.map((verdict) => (
            <RuleLink placed={verdict} />
          ))}
          {unselected.map((rule) => (
            <span class="rule">
              <Name text={rule} /> not selected
            </span>
          ))}
          {coverage.partly === undefined ? null : (
            <span class="meta">
              not shown yet: <Prose text={coverage.partly} />
            </span>
          )}
        </>
      );
  }
};

const SpecificationSection = ({
  section: { specification, section, requirements },
}: {
  readonly section: CoveredSection;
}) => (
  <details class="covered">
    <summary>
      <span class="name">
        <span class="sec">{section}</span> {getSectionName(specification, section)}
      </span>
      <Bar requirements={requirements} width={200} />
      <span class="meta">{counted(requirements.length, "requirement")}</span>
    </summary>
    <table>
      <caption class="unseen">{`${getSpecificationName(specification)}, section ${section}`}</caption>
      <thead class="unseen">
        <tr>
          <th scope="col">Requirement</th>
          <th scope="col">Result</th>
        </tr>
      </thead>
      <tbody>
        {requirements.map((judgedRequirement) => (
          <tr>
            <td>
              <span class="sec">{judgedRequirement.requirement.section}</span>{" "}
              <Prose text={judgedRequirement.requirement.text} />
            </td>
            <td>
              <RequirementResult judgedRequirement={judgedRequirement} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </details>
);

/** Lists every requirement of both specifications with the rules that test it and their verdicts in this run. */
export const Coverage = ({ sections }: { readonly sections: readonly CoveredSection[] }) => {
  const documents = [...new Set(sections.map(({ specification }) => specification))];
  const requirements = sections.flatMap((section) => section.requirements);
  return (
    <>
      <Bar requirements={requirements} width={960} />
      <StandingKey requirements={requirements} />
      <Folded summary="Every requirement, by section of its specification">
        {documents.map((specification) => (
          <>
            <h4>{getSpecificationName(specification)}</h4>
            {sections
              .filter((section) => section.specification === specification)
              .map((section) => (
                <SpecificationSection section={section} />
              ))}
          </>
        ))}
      </Folded>
    </>
  );
};
