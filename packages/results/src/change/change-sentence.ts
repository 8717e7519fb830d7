import type { RuleStanding } from "../rule-standing.ts";
import type { RunChange } from "../run-change.ts";

/** The lists that the sentence counts, and what it is about. */
export type ChangeCounts = Pick<
  RunChange,
  "baseline" | "broken" | "mended" | "stillBroken" | "excused" | "noLongerSeen" | "newlySeen"
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

const brokenPart = ({ broken, baseline }: ChangeCounts): readonly string[] =>
  formerly.flatMap(({ was, words }) => {
    const count = broken.filter(({ before }) => was(before)).length;
    return count === 0
      ? []
      : [`${rules(count)} ${count === 1 ? "fails" : "fail"} ${words(count, `run ${baseline.id}`)}`];
  });

const lostPart = ({ noLongerSeen }: ChangeCounts): readonly string[] => {
  const failing = noLongerSeen.filter(({ before }) => before === "failed" || before === "unexpectedly-fixed").length;
  const count = verb(noLongerSeen.length, "is no longer observed", "are no longer observed");
  const failed = failing === 0 ? "" : `, ${failing} of which failed`;
  return noLongerSeen.length === 0 ? [] : [`${count}${failed}`];
};

const counted = (count: number, one: string, many: string): readonly string[] =>
  count === 0 ? [] : [verb(count, one, many)];

/** What changed, in one sentence without a full stop. It never says that nothing changed where nothing could be compared. */
export const changeSentence = (change: ChangeCounts): string => {
  const { baseline, mended, stillBroken, excused = [], newlySeen, comparable } = change;
  const parts = [
    ...brokenPart(change),
    ...counted(mended.length, "holds again", "hold again"),
    ...counted(excused.length, "fails as before and is put up with now", "fail as before and are put up with now"),
    ...lostPart(change),
    ...counted(newlySeen.length, "is observed for the first time", "are observed for the first time"),
  ];
  const still = counted(stillBroken.length, "still fails", "still fail");
  if (comparable === 0) {
    const nothing = `nothing can be compared with run ${baseline.id}: no rule was judged in both`;
    return [nothing, ...parts].join("; ");
  }
  const named =
    parts.length > 0 && change.broken.length === 0 ? [`since run ${baseline.id}: ${parts.join("; ")}`] : parts;
  return parts.length === 0
    ? [`nothing changed since run ${baseline.id}`, ...still].join("; ")
    : [...named, ...still].join("; ");
};
