import { variationRandoms } from "../varied-stream.ts";
import { type VariedCall, varyAnswer } from "./vary-answer.ts";

/** An answer of the conversation API as it goes over the wire. */
export interface VariedAnswer {
  readonly status: number;
  /** Header fields, the type of the body among them where it has one. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

/**
 * An answer with this JSON in another legal form. Answers of one seed and different names are those of one server: what they
 * say of the same conversation agrees. Depends on nothing but its arguments.
 */
export const variedAnswer = (
  json: unknown,
  call: VariedCall & { readonly status: number },
  ...[seed, name = ""]: readonly [seed: number, name?: string]
): VariedAnswer => {
  const { status } = call;
  const plain = { status, headers: { "content-type": "application/json" }, json };
  const answer = varyAnswer(plain, call, variationRandoms(seed, name));
  const text = answer.text ?? JSON.stringify(answer.json) ?? "";
  const headers = text.length === 0 ? [] : Object.entries(answer.headers);
  return { status: answer.status, headers, body: Buffer.from(text) };
};
