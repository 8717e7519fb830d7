/** Limits the number of questions. */
export interface QuestionBudget {
  /** Takes one question from the budget. Returns a clause if none is left. */
  charge(): string | undefined;
  /** Returns a question that was refused, since the target did no work for it. */
  refund(): void;
  /** A clause if no writes are allowed at all. Writes without a question are not charged. */
  readonly whyReadOnly: string | undefined;
  readonly asked: number;
  /** `Infinity` for no limit. */
  readonly allowed: number;
}

export function createQuestionBudget(allowed: number): QuestionBudget {
  let asked = 0;
  const whyReadOnly = allowed > 0 ? undefined : "no questions may be asked of this target without a budget for them";
  return {
    charge() {
      if (whyReadOnly !== undefined) {
        return whyReadOnly;
      }
      if (asked >= allowed) {
        return `the budget of ${allowed} questions is used up`;
      }
      asked += 1;
      return undefined;
    },
    refund() {
      asked -= 1;
    },
    whyReadOnly,
    get asked() {
      return asked;
    },
    allowed,
  };
}
