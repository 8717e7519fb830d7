/** Counts questions before they are asked. */
export interface QuestionBudget {
  /** Pays for one question; the reason, a clause, if there is none left. */
  charge(): string | undefined;
  /** Gives one back that was refused: nothing is worked on for it. */
  refund(): void;
  /** Why nothing may be written at all, or undefined. What asks no question is not paid for. */
  readonly whyReadOnly: string | undefined;
  readonly asked: number;
  /** `Infinity` for any number. */
  readonly allowed: number;
}

/** A budget of so many questions. */
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
