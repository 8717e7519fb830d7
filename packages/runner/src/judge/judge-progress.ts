/** How far judging has come: first every exchange is read, then every pass is confirmed, a rule at a time. */
export interface JudgeProgress {
  readonly step: "exchanges" | "rules";
  readonly done: number;
  readonly all: number;
}

/** Is called often, and must not throw. */
export type OnJudgeProgress = (progress: JudgeProgress) => void;
