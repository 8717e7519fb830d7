/** The progress of judging: first every exchange is read, then every pass is confirmed, one rule at a time. */
export interface JudgeProgress {
  readonly step: "exchanges" | "rules";
  readonly done: number;
  readonly all: number;
}

/** Called often; must not throw. */
export type OnJudgeProgress = (progress: JudgeProgress) => void;
