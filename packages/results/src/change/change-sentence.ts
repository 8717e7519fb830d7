import type { RuleStanding } from "../rule-standing.ts";
import type { RunChange } from "../run-change.ts";

/** The lists that the sentence counts, and what it is about. */
export type ChangeCounts = Pick<
  RunChange,
  "baseline" | "broken" | "mended" | "stillBroken" | "excused" | "shifted" | "noLongerSeen" | "newlySeen"
> & {
  /** How many rules both runs judged. */
  readonly comparable: number;
};

const verb = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;
const rules = (count: number): string => (count === 1 ? "1 rule" : `${count} rules`);

/** What a rule that fails now was in the earlier run, in the order in which it is told. */
const formerly = [
  {
    was: (before: RuleStanding | undefined) => before === "passed",
    words: (_count: number, run: string) => `that held in ${run}`,
  },
  {
    was: (before: RuleStanding | undefined) => before === "known-failure",
    words: (count: number, run: string) =>
      count === 1 ? `that was a known failure in ${run}` : `that were known failures in ${run}`,
  },
  {
    was: (before: RuleStanding | undefined) => before !== "passed" && before !== "known-failure",
    words: (_count: number, run: string) => `that ${run} did not see failing`,
  },
] as const;

/** A rule that holds makes a run red where a list says that it fails. */
const isFixed = (standing: RuleStanding | undefined): boolean => standing === "unexpectedly-fixed";

const brokenPart = ({ broken, baseline }: ChangeCounts): readonly string[] =>
  formerly.flatMap(({ was, words }) => {
    const count = broken.filter(({ before, after }) => was(before) && !isFixed(after)).length;
    return count === 0
      ? []
      : [`${rules(count)} ${count === 1 ? "fails" : "fail"} ${words(count, `run ${baseline.id}`)}`];
  });

const counted = (count: number, one: string, many: string): readonly string[] =>
  count === 0 ? [] : [verb(count, one, many)];

const listedPart = ({ broken, stillBroken, mended }: ChangeCounts): readonly string[] => {
  const fixed = [...broken, ...stillBroken].filter(({ after }) => isFixed(after)).length;
  const unlisted = mended.filter(({ before }) => isFixed(before)).length;
  return [
    ...counted(fixed, "holds that is listed as a known failure", "hold that are listed as known failures"),
    ...counted(mended.length - unlisted, "holds again", "hold again"),
    ...counted(unlisted, "is no longer listed as a known failure", "are no longer listed as known failures"),
  ];
};

/** What changed of rules that are red in neither run. */
const shiftedPart = ({ shifted = [] }: ChangeCounts): readonly string[] => {
  const worse = shifted.filter(({ before }) => before === "passed").length;
  return [
    ...counted(worse, "that held warns or is put up with now", "that held warn or are put up with now"),
    ...counted(
      shifted.length - worse,
      "that warned or was put up with holds now",
      "that warned or were put up with hold now",
    ),
  ];
};

/** A rule that was not selected has not gone out of sight. */
const lostPart = ({ noLongerSeen }: ChangeCounts): readonly string[] => {
  const kinds = [
    [noLongerSeen.filter(({ after }) => after !== undefined), "is no longer observed", "are no longer observed"],
    [noLongerSeen.filter(({ after }) => after === undefined), "was not selected now", "were not selected now"],
  ] as const;
  return kinds.flatMap(([lost, one, many]) => {
    const failing = lost.filter(({ before }) => before === "failed").length;
    const failed = failing === 0 ? "" : `, ${failing} of which failed`;
    return counted(lost.length, one, many).map((part) => `${part}${failed}`);
  });
};

const newPart = ({ newlySeen }: ChangeCounts): readonly string[] => {
  const unselected = newlySeen.filter(({ before }) => before === undefined).length;
  return [
    ...counted(newlySeen.length - unselected, "is observed that was not before", "are observed that were not before"),
    ...counted(unselected, "is judged that was not selected before", "are judged that were not selected before"),
  ];
};

/** What changed, in one sentence without a full stop. It never says that nothing changed where nothing could be compared. */
export const changeSentence = (change: ChangeCounts): string => {
  const { baseline, stillBroken, excused = [], comparable } = change;
  const fails = brokenPart(change);
  const parts = [
    ...fails,
    ...listedPart(change),
    ...counted(excused.length, "fails as before and is put up with now", "fail as before and are put up with now"),
    ...shiftedPart(change),
    ...lostPart(change),
    ...newPart(change),
  ];
  const stillFailing = stillBroken.filter(({ after }) => !isFixed(after)).length;
  const still = counted(stillFailing, "still fails", "still fail");
  if (comparable === 0) {
    const nothing = `nothing can be compared with run ${baseline.id}: no rule was judged in both`;
    return [nothing, ...parts].join("; ");
  }
  const named = parts.length > 0 && fails.length === 0 ? [`since run ${baseline.id}: ${parts.join("; ")}`] : parts;
  return parts.length === 0
    ? [`nothing changed since run ${baseline.id}`, ...still].join("; ")
    : [...named, ...still].join("; ");
};
