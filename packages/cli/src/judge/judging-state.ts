import { countedWork } from "@assay/report";
import type { Progress, WorkState } from "@assay/report";
import type { JudgeProgress, OnJudgeProgress } from "@assay/runner";

/** The part of the time that reading the exchanges takes, before passes are confirmed; about. */
const readingShare = 0.3;

const shareOf = { exchanges: [0, readingShare], rules: [readingShare, 1] } as const;

/** How far judging has come, for people. */
export function judgingState({ step, done, all }: JudgeProgress): WorkState {
  const { text, share = 0 } = countedWork(done, all, step);
  const [from, to] = shareOf[step];
  return { text: `judging: ${text}`, share: from + (to - from) * share };
}

/** Shows the judging by a line of progress. */
export const showJudging =
  (progress: Progress): OnJudgeProgress =>
  (state) =>
    progress.state(judgingState(state));
