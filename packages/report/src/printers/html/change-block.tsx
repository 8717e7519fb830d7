import type { ChangedVerdict, RunChange } from "@assay/results";
import { verdictWords } from "../../document/outcome-words.ts";
import { shownText } from "../../document/shown-text.ts";
import { instantText } from "../../document/instant-text.ts";
import { pageCaps } from "./page-caps.ts";
import { More, Name, Prose } from "./prose.tsx";

const wordOf = (standing: ChangedVerdict["before"]): string =>
  standing === undefined ? "not selected" : verdictWords[standing].word;

interface ChangedProps {
  readonly title: string;
  readonly verdicts: readonly ChangedVerdict[];
}

const Changed = ({ title, verdicts }: ChangedProps) =>
  verdicts.length === 0 ? null : (
    <>
      <h3>{`${title} (${verdicts.length})`}</h3>
      <ul>
        {verdicts.slice(0, pageCaps.changedRules).map(({ rule, title, before, after }) => (
          <li>
            <Name text={rule} />
            <span class="meta">{`${wordOf(before)} → ${wordOf(after)}`}</span> <Prose text={title} />
          </li>
        ))}
      </ul>
      <More count={verdicts.length - pageCaps.changedRules} noun="rule" />
    </>
  );

/** What changed since the baseline: one sentence, the rules behind it, and why the two can hardly be compared. */
export const ChangeBlock = ({ change }: { readonly change: RunChange }) => {
  const { baseline, sentence, broken, mended, stillBroken, noLongerSeen, newlySeen, caveats } = change;
  const { excused = [], shifted = [] } = change;
  const lists = [broken, mended, stillBroken, excused, shifted, noLongerSeen, newlySeen];
  const isEmpty = lists.every((list) => list.length === 0);
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
      {isEmpty ? null : (
        <details>
          <summary>
            {`What changed since run ${shownText(baseline.id, "name")} of ${instantText(baseline.startedAt)}`}
          </summary>
          <Changed title="Fails now" verdicts={broken} />
          <Changed title="Passes again" verdicts={mended} />
          <Changed title="Still fails" verdicts={stillBroken} />
          <Changed title="Accepted now" verdicts={excused} />
          <Changed title="Changed, still passing" verdicts={shifted} />
          <Changed title="No longer tested" verdicts={noLongerSeen} />
          <Changed title="Newly tested" verdicts={newlySeen} />
        </details>
      )}
    </div>
  );
};
