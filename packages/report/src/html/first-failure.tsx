import { ruleStanding } from "@assay/results";
import { placeOf } from "../finding-lines.ts";
import { ExcerptBlock } from "./excerpt-block.tsx";
import { type FailurePlan, findingId, findingsOf } from "./failure-plan.ts";
import { Name, Prose } from "./prose.tsx";

/** The most severe failure right below the verdict: the rule, what was seen and where, its bytes, and the way to all about it. */
export const FirstFailure = ({ plan }: { readonly plan: FailurePlan }) => {
  const placed = plan.full[0]?.placed;
  const finding = placed === undefined ? undefined : findingsOf(placed)[0];
  if (placed === undefined || finding === undefined || ruleStanding(placed.rule) !== "failed") {
    return null;
  }
  const place = placeOf(finding);
  return (
    <div class="first">
      <p>
        <b>{plan.full.length + plan.listed.length + plan.more > 1 ? "The first violation: " : "The violation: "}</b>
        <Name text={placed.rule.rule} />
        <span class="title">
          <Prose text={placed.rule.title} />
        </span>
      </p>
      <p class="message">
        Seen: <Prose text={finding.message} />
        {place === "" ? null : <span class="place">{place}</span>}
      </p>
      {finding.excerpt === undefined ? null : <ExcerptBlock excerpt={finding.excerpt} />}
      <p class="more">
        <a href={`#${findingId(placed, 0)}`}>
          The sentence that demands it, the exchange, and the command that repeats it
        </a>
      </p>
    </div>
  );
};
