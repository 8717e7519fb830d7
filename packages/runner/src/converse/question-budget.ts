/** Limits the number of questions. */
export interface QuestionBudget {
  /** Takes one question from the budget. Returns a clause if none is left. */
  charge(): string | undefined;
  /** Returns a question that was refused, since the target did no work for it. */
  refund(): void;
  /** A clause if no writes are allowed at all. Writes without a question are not charged. */
  readonly readOnlyReason: string | undefined;
  readonly askedCount: number;
  /** `Infinity` for no limit. */
  readonly maxQuestions: number;
}

export function createQuestionBudget(maxQuestions: number): QuestionBudget {
  let askedCount = 0;
  const readOnlyReason =
    maxQuestions > 0 ? undefined : "no questions may be asked of this target without a budget for them";
  return {
    charge() {
      if (readOnlyReason !== undefined) {
        return readOnlyReason;
      }
      if (askedCount >= maxQuestions) {
        return `the budget of ${maxQuestions} questions is used up`;
      }
      askedCount += 1;
      return undefined;
    },
    refund() {
      askedCount -= 1;
    },
    readOnlyReason,
    get askedCount() {
      return askedCount;
    },
    maxQuestions,
  };
}
