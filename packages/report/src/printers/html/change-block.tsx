import type { RunChange } from "@assay/results";
import { createChangeLists, type ChangeList, getStandingWord } from "../../document/change-lists.ts";
import { formatInstant } from "../../document/instant-text.ts";
import { escapeForDisplay } from "../../document/shown-text.ts";
import { pageCaps } from "./page-caps.ts";
import { More, Name, Prose } from "./prose.tsx";

const ChangedRules = ({ list: { title, verdicts } }: { readonly list: ChangeList }) => (
  <>
    <h3>{`${title} (${verdicts.length})`}</h3>
    <ul>
      {verdicts.slice(0, pageCaps.changedRules).map(({ rule, title: ruleTitle, before, after }) => (
        <li>
          <Name text={rule} />
          <span class="meta">{`${getStandingWord(before)} → ${getStandingWord(after)}`}</span>{" "}
          <Prose text={ruleTitle} />
        </li>
      ))}
    </ul>
    <More count={verdicts.length - pageCaps.changedRules} noun="rule" />
  </>
);

/** Shows what changed since the baseline: one sentence, reasons to compare with care, and the rules that changed, folded. */
export const ChangeBlock = ({ change }: { readonly change: RunChange }) => {
  const { baseline, sentence, broken, caveats } = change;
  const lists = createChangeLists(change);
  return (
    <div class={`change t-${broken.length > 0 ? "bad" : "good"}`}>
      <p>
        <b>Since the baseline:</b> <Prose text={sentence} />
      </p>
      {caveats.slice(0, pageCaps.items).map((caveat) => (
        <p class="caveat">
          Compare with care: <Prose text={caveat} />
        </p>
      ))}
      {lists.length === 0 ? null : (
        <details>
          <summary>
            {`What changed since run ${escapeForDisplay(baseline.id, "name")} of ${formatInstant(baseline.startedAt)}`}
          </summary>
          {lists.map((list) => (
            <ChangedRules list={list} />
          ))}
        </details>
      )}
    </div>
  );
};
