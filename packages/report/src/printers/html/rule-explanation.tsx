import { isRuleId, ruleReason, ruleSince } from "@assay/contract";
import { shownText } from "../../document/shown-text.ts";
import { basisSentence } from "../markdown/render-rule-page.ts";
import { pageCaps } from "./page-caps.ts";
import { detailId, type PlacedVerdict } from "./page-runs.ts";
import { More, Prose } from "./prose.tsx";

/** Returns the id on the page of a rule's explanation. */
export const explanationId = (placed: PlacedVerdict): string => `${detailId(placed)}-rule`;

type Requirement = PlacedVerdict["rule"]["requirements"][number];

const Requirement = ({ requirement: { specification, section, text } }: { readonly requirement: Requirement }) => (
  <blockquote>
    <cite>
      {shownText(specification, "name")} §{shownText(section, "name")}
    </cite>
    <Prose text={text} />
  </blockquote>
);

/** Shows the requirement and reason of a rule, and its further explanation, folded. An unknown rule of a stored result has no reason. */
export const RuleExplanation = ({ placed }: { readonly placed: PlacedVerdict }) => {
  const { rule, basis, requirements } = placed.rule;
  const [firstRequirement, ...otherRequirements] = requirements;
  const isKnown = isRuleId(rule);
  return (
    <>
      {firstRequirement === undefined ? null : <Requirement requirement={firstRequirement} />}
      {isKnown ? (
        <p class="why">
          <b>Why it matters:</b> <Prose text={ruleReason(rule)} />
        </p>
      ) : null}
      <details class="explained" id={explanationId(placed)}>
        <summary>About this rule</summary>
        {otherRequirements.slice(0, pageCaps.requirements - 1).map((requirement) => (
          <Requirement requirement={requirement} />
        ))}
        <More count={otherRequirements.length - pageCaps.requirements + 1} noun="requirement" />
        <p>
          {basisSentence(basis)}
          {isKnown ? ` In Assay since version ${ruleSince(rule)}.` : ""}
        </p>
        <p>
          <code>npx assay explain {shownText(rule, "name")}</code> shows a response that passes and one that fails.{" "}
          <code>
            npx assay explain {shownText(placed.run.result.run.id, "name")} {shownText(rule, "name")}
          </code>{" "}
          shows what this run received.
        </p>
      </details>
    </>
  );
};
