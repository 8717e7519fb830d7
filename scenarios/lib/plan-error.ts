/** A plan that cannot be used. The message is one sentence for the user. */
export class PlanError extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = "PlanError";
  }
}
