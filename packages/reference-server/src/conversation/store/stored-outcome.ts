import { errorCodes } from "@assay/contract";
import { isPayloadArray, isPayloadObject, type PayloadObject } from "../../payload.ts";
import type { QuestionOutcome, Source, WorkStats } from "../conversation-record.ts";

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const numberOf = (value: unknown): number => (typeof value === "number" ? value : 0);
const objectOf = (value: unknown): PayloadObject => (isPayloadObject(value) ? value : {});
const listOf = (value: unknown): readonly unknown[] => (isPayloadArray(value) ? value : []);

const statsOf = (value: unknown): WorkStats => {
  const stats = objectOf(value);
  return {
    timeMs: numberOf(stats["timeMs"]),
    toolCalls: numberOf(stats["toolCalls"]),
    inputTokens: numberOf(stats["inputTokens"]),
    promptTokens: numberOf(stats["promptTokens"]),
    completionTokens: numberOf(stats["completionTokens"]),
    credits: numberOf(stats["credits"]),
  };
};

const sourceOf = (value: unknown): Source => {
  const { label, link, type } = objectOf(value);
  return { type: textOf(type), link: textOf(link), label: textOf(label) };
};

const completedOf = (stored: PayloadObject): QuestionOutcome => ({
  kind: "completed",
  title: textOf(stored["title"]),
  answer: textOf(stored["answer"]),
  sources: listOf(stored["sources"]).map(sourceOf),
  followups: listOf(stored["followups"]).map(textOf),
  stats: statsOf(stored["stats"]),
});

const failedOf = (stored: PayloadObject): QuestionOutcome => {
  const { answer, retryAtMs } = stored;
  return {
    kind: "failed",
    title: textOf(stored["title"]),
    code: errorCodes.find((code) => code === stored["code"]) ?? "ERROR_INTERNAL",
    message: textOf(stored["message"]),
    ...(typeof retryAtMs === "number" ? { retryAtMs } : {}),
    ...(typeof answer === "string" ? { answer } : {}),
    stats: statsOf(stored["stats"]),
  };
};

/** An outcome as it was stored; what is missing is empty. */
export const storedOutcome = (value: unknown): QuestionOutcome => {
  const stored = objectOf(value);
  switch (stored["kind"]) {
    case "completed":
      return completedOf(stored);
    case "canceled":
      return { kind: "canceled" };
    default:
      return failedOf(stored);
  }
};
