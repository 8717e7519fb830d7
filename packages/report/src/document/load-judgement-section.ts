import type { BrokenRule, LoadDependence, LoadJudgement, LoadResult } from "@assay/results";
import { counted } from "./counted.ts";
import { type Entry, list, type Section, text } from "./document.ts";
import { verdictWords } from "./outcome-words.ts";

const shownRules = 10;

/** Whether a rule is violated only under load, one clause. */
export const dependenceWords: Readonly<Record<LoadDependence, string>> = {
  "under-load": "breaks under load: it holds before and after",
  "without-load-too": "violated without load, too",
  unknown: "whether it holds without load was not observed",
};

const brokenEntry = ({ rule, message, violations, dependence, ...first }: BrokenRule): Entry => ({
  sign: verdictWords.failed.sign,
  line: [{ name: rule }, ": ", message, `, ${counted(violations, "time")}`],
  below: [
    text(dependenceWords[dependence]),
    text(
      [
        `first seen in second ${first.atSeconds} of the run${first.phase === "warmup" ? ", in the warm-up" : ""}, with ${counted(first.inFlight, "request")} on the way and ${first.ratePerSecond} a second: `,
        { name: first.exchange },
      ],
      { isFaint: true },
    ),
  ],
});

/** How many rules hold, one clause. */
export const rulesText = ({ rules: { held, proven, broken, notObserved, notJudged } }: LoadJudgement): string =>
  `${held} rules hold${proven === undefined ? "" : `, ${proven} proven able to fail on a sample`}, ${broken} are violated, ${notObserved} were not observed; ${notJudged} about several exchanges at once were not judged`;

/** What all rules say of the exchanges of the load itself, and how many of them were judged. */
export const judgementSection = ({ judgement }: Pick<LoadResult, "judgement">): Section => {
  const title = "All exchanges, by all rules";
  if (judgement === undefined) {
    return { title, blocks: [] };
  }
  const { broken, groups, problems, sentence } = judgement;
  const isWhole = groups.every(({ sent, judged }) => judged >= sent) && problems.length === 0;
  const { passed, warned, failed } = verdictWords;
  return {
    title,
    blocks: list([
      {
        sign: broken.length > 0 ? failed.sign : isWhole ? passed.sign : warned.sign,
        line: sentence,
        below: [
          text(rulesText(judgement), { isFaint: true }),
          ...problems.map((problem) => text(problem)),
          ...list(broken.map(brokenEntry), { most: shownRules }),
        ],
      },
    ]),
  };
};
