/** A plan that cannot be used; the message is one sentence for the person who made it. */
export class PlanError extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = "PlanError";
  }
}
