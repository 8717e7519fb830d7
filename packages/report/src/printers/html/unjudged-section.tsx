import { type RuleVerdict, type VerdictOutcome } from "@assay/results";
import { groupedBy } from "../../document/rule-groups.ts";
import { shownText } from "../../document/shown-text.ts";
import { blockedBy } from "../../document/unjudged-groups.ts";
import { pageCaps } from "./page-caps.ts";
import { detailId, type PageRun, type PlacedVerdict } from "./page-runs.ts";
import { More, Name, Prose } from "./prose.tsx";
import { StandingBadge } from "./standing-badge.tsx";

const reasonOf = ({ verdict }: RuleVerdict): string => {
  if (verdict.outcome === "not-applicable") {
    return verdict.reason;
  }
  if (verdict.outcome === "not-tested") {
    return verdict.reason ?? "";
  }
  return verdict.outcome === "blocked" ? blockedBy(verdict) : "";
};

/** Graver ones first: blocked, then not tested, then not applicable. */
const order: readonly VerdictOutcome[] = ["blocked", "not-tested", "not-applicable"];

const rank = ({ rule }: PlacedVerdict): number => order.indexOf(rule.verdict.outcome);

/** Verdicts that judged nothing. */
export const unjudgedOf = (run: PageRun): readonly PlacedVerdict[] =>
  run.result.verdicts
    .map((rule, index) => ({ run, index, rule }))
    .filter(({ rule }) => order.includes(rule.verdict.outcome));

const Group = ({ placed }: { readonly placed: readonly PlacedVerdict[] }) => {
  const [first] = placed;
  if (first === undefined) {
    return null;
  }
  const reason = reasonOf(first.rule);
  return (
    <div class="unjudged">
      <p>
        <StandingBadge standing={first.rule.verdict.outcome} /> <b>{placed.length}</b>{" "}
        {reason === "" ? "no response could test them" : <Prose text={reason} />}
      </p>
      <ul class="chips">
        {placed.slice(0, pageCaps.rulesOfGroup).map((one) => (
          <li>
            <a href={`#${detailId(one)}`}>
              <Name text={one.rule.rule} />
            </a>
            {one.rule.mustTest ? <span class="meta"> required by the profile</span> : null}
          </li>
        ))}
      </ul>
      <More count={placed.length - pageCaps.rulesOfGroup} noun="rule" />
    </div>
  );
};

/** What could not be judged and why, rules with one reason together. */
export const Unjudged = ({ placed }: { readonly placed: readonly PlacedVerdict[] }) => {
  const sorted = placed.toSorted((one, other) => rank(one) - rank(other));
  const groups = groupedBy(sorted, ({ rule }) => JSON.stringify([rule.verdict.outcome, shownText(reasonOf(rule))]));
  return (
    <>
      {groups.slice(0, pageCaps.items).map((group) => (
        <Group placed={group} />
      ))}
      <More count={groups.length - pageCaps.items} noun="reason" />
    </>
  );
};
