import { formatCountedProgress } from "@assay/report";
import type { Progress, WorkState } from "@assay/report";
import type { JudgeProgress, OnJudgeProgress } from "@assay/runner";

/** Approximate share of the time spent on reading exchanges, before passes are confirmed. */
const readingShare = 0.3;

const shareRanges = { exchanges: [0, readingShare], rules: [readingShare, 1] } as const;

/** Converts the progress of judging to a line for people. */
export function toJudgingState({ step, done, total }: JudgeProgress): WorkState {
  const { text, share = 0 } = formatCountedProgress(done, total, step);
  const [startShare, endShare] = shareRanges[step];
  return { text: `judging: ${text}`, share: startShare + (endShare - startShare) * share };
}

/** Shows judging as a progress line. */
export const showJudging =
  (progress: Progress): OnJudgeProgress =>
  (state) =>
    progress.state(toJudgingState(state));
