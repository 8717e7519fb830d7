import type { Answer } from "./answer.ts";
import { elementsOf, firstMember, member } from "@assay/reading";

const retryNames = ["retry_time", "retryTime"] as const;

/** Objects of an answer in which a time to retry may stand. */
function holdersOf(json: unknown): readonly unknown[] {
  const state = member(json, "state");
  const states = typeof state === "object" && state !== null ? Object.values(state) : [];
  const questions = elementsOf(member(json, "questions")).slice(-1);
  return [
    json,
    member(json, "error"),
    ...states,
    ...questions.flatMap((question) => [member(question, "error"), member(member(question, "state"), "error")]),
  ];
}

/** Unix time in milliseconds from here on, in seconds below: in seconds this is the year 5138. */
const minUnixMs = 100_000_000_000;

/** A time to retry as a date that can be read: it may be an integer, Unix time. */
const dateOf = (time: unknown): string | undefined =>
  Number.isSafeInteger(time) && Math.abs(Number(time)) < 8e15
    ? new Date(Number(time) * (Number(time) < minUnixMs ? 1000 : 1)).toISOString()
    : typeof time === "string"
      ? time
      : undefined;

function millisecondsUntil(date: string, nowMs: number): number | undefined {
  const atMs = Date.parse(date);
  return Number.isNaN(atMs) ? undefined : atMs - nowMs;
}

function headerWaitMs({ draft }: Answer, nowMs: number): number | undefined {
  const [, value = ""] = draft.response?.headers.find(([name]) => name.toLowerCase() === "retry-after") ?? [];
  return /^\s*\d+\s*$/u.test(value) ? Number(value) * 1000 : millisecondsUntil(value, nowMs);
}

/**
 * How long an answer asks to wait, in milliseconds: by `Retry-After`, in seconds or as a date, or by a time to retry; the
 * longer of both. 0 for the past. Undefined where it says nothing of it that can be read.
 */
export function namedWaitMs(answer: Answer, nowMs: number): number | undefined {
  const times = holdersOf(answer.json).flatMap((holder) => dateOf(firstMember(holder, retryNames)) ?? []);
  const waits = [headerWaitMs(answer, nowMs), ...times.map((time) => millisecondsUntil(time, nowMs))];
  const named = waits.filter((wait) => wait !== undefined);
  return named.length === 0 ? undefined : Math.max(0, ...named);
}

/** As `namedWaitMs`, 0 where the answer says nothing of it. */
export const retryWaitMs = (answer: Answer, nowMs: number): number => namedWaitMs(answer, nowMs) ?? 0;
