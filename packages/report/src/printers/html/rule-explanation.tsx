import { isRuleId, ruleReason, ruleSince } from "@assay/contract";
import { escapeForDisplay } from "../../document/shown-text.ts";
import { describeBasis } from "../markdown/render-rule-page.ts";
import { pageCaps } from "./page-caps.ts";
import { createDetailId, type PlacedVerdict } from "./page-runs.ts";
import { More, Prose } from "./prose.tsx";

/** Returns the id on the page of a rule's explanation. */
export const createExplanationId = (placed: PlacedVerdict): string => `${createDetailId(placed)}-rule`;

type Requirement = PlacedVerdict["rule"]["requirements"][number];

const Requirement = ({ requirement: { specification, section, text } }: { readonly requirement: Requirement }) => (
  <blockquote>
    <cite>
      {escapeForDisplay(specification, "name")} §{escapeForDisplay(section, "name")}
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
      <details class="explained" id={createExplanationId(placed)}>
        <summary>About this rule</summary>
        {otherRequirements.slice(0, pageCaps.requirements - 1).map((requirement) => (
          <Requirement requirement={requirement} />
        ))}
        <More count={otherRequirements.length - pageCaps.requirements + 1} noun="requirement" />
        <p>
          {describeBasis(basis)}
          {isKnown ? ` In Assay since version ${ruleSince(rule)}.` : ""}
        </p>
        <p>
          <code>npx assay explain {escapeForDisplay(rule, "name")}</code> shows a response that passes and one that
          fails.{" "}
          <code>
            npx assay explain {escapeForDisplay(placed.run.result.run.id, "name")} {escapeForDisplay(rule, "name")}
          </code>{" "}
          shows what this run received.
        </p>
      </details>
    </>
  );
};
