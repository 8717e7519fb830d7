/** The progress of judging. All exchanges are read first. Then passes are confirmed, one rule at a time. */
export interface JudgeProgress {
  readonly step: "exchanges" | "rules";
  readonly done: number;
  readonly total: number;
}

/** Receives frequent progress updates. Must not throw. */
export type OnJudgeProgress = (progress: JudgeProgress) => void;
