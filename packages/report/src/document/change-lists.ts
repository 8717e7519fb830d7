import type { ChangedVerdict, RuleStanding, RunChange } from "@assay/results";
import { verdictWords } from "./outcome-words.ts";

/** Returns the word for a verdict. `standing` is undefined if the run did not select the rule. */
export const getStandingWord = (standing: RuleStanding | undefined): string =>
  standing === undefined ? "not selected" : verdictWords[standing].word;

/** Rules that changed in the same way. */
export interface ChangeList {
  readonly title: string;
  readonly verdicts: readonly ChangedVerdict[];
  /** Whether reports show the list unfolded. */
  readonly isOpen: boolean;
}

/** Lists the rules that changed between two runs, most severe first. Omits empty lists. */
export const createChangeLists = (change: RunChange): readonly ChangeList[] => {
  const { broken, fixed, stillBroken, accepted = [], changedOther = [], noLongerSeen, newlySeen } = change;
  return [
    { title: "Fails now", verdicts: broken, isOpen: true },
    { title: "Passes again", verdicts: fixed, isOpen: true },
    { title: "Still fails", verdicts: stillBroken, isOpen: false },
    { title: "Fails as before, accepted now", verdicts: accepted, isOpen: false },
    { title: "Changed, passing in both", verdicts: changedOther, isOpen: false },
    { title: "No longer tested, or not selected", verdicts: noLongerSeen, isOpen: false },
    { title: "Newly tested", verdicts: newlySeen, isOpen: false },
  ].filter(({ verdicts }) => verdicts.length > 0);
};
