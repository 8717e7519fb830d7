import type { RuleStanding } from "@assay/results";
import { verdictWords } from "../outcome-words.ts";
import { groupedNumber } from "./grouped-number.ts";
import type { PageRun } from "./page-runs.ts";
import { pageSigns } from "./standing-badge.tsx";

/** What makes the run red first, then what holds. */
const counterOrder = [
  "failed",
  "unexpectedly-fixed",
  "warned",
  "known-failure",
  "passed",
  "not-observed",
  "could-not-run",
  "not-applicable",
] as const satisfies readonly RuleStanding[];

interface CountersProps {
  readonly run: PageRun;
  /** Id of the table of all rules. */
  readonly rules: string;
}

const isBad = (standing: RuleStanding): boolean =>
  standing === "failed" || standing === "unexpectedly-fixed" || standing === "warned" || standing === "known-failure";

const Label = ({ standing }: { readonly standing: RuleStanding }) => (
  <span>
    <i aria-hidden="true">{pageSigns[standing]}</i> {verdictWords[standing].word}
  </span>
);

/** Links even without the script, which makes filters of them. What does not occur is said small, so that the rest stands out. */
export const Counters = ({ run: { key, result }, rules }: CountersProps) => {
  const linkOf = (standing: RuleStanding) => ({
    href: isBad(standing) && result.counts[standing] > 0 ? `#${key}-failures` : `#${rules}`,
    "data-q": `s:${standing}`,
  });
  const some = counterOrder.filter((standing) => result.counts[standing] > 0);
  const none = counterOrder.filter((standing) => result.counts[standing] === 0);
  return (
    <>
      <ul class="counters" aria-label="Rules by what they come to">
        {some.map((standing) => (
          <li>
            <a class={`counter s-${standing}`} {...linkOf(standing)}>
              <b>{groupedNumber(result.counts[standing])}</b>
              <Label standing={standing} />
            </a>
          </li>
        ))}
      </ul>
      {none.length === 0 ? null : (
        <p class="zeros">None: {none.map((standing) => verdictWords[standing].word).join(", ")}.</p>
      )}
    </>
  );
};
