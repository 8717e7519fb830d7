import type { Answer } from "./answer.ts";
import { elementsOf, firstMember, member } from "@assay/reading";

const retryNames = ["retry_time", "retryTime"] as const;

/** Returns the objects of an answer that may have a retry time. */
function retryTimeHolders(json: unknown): readonly unknown[] {
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

/** Unix times below this are in seconds, all others in milliseconds. In seconds it would be the year 5138. */
const minUnixMs = 100_000_000_000;

/** Returns a retry time as a parseable date. Accepts a Unix time or a date string. */
const parseRetryTime = (time: unknown): string | undefined =>
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
 * Returns the wait that a response requests, in milliseconds: the longer of `Retry-After`, in seconds or as a date,
 * and a retry time in its body. 0 if that time has passed. Returns undefined if the response requests none.
 */
export function requestedWaitMs(answer: Answer, nowMs: number): number | undefined {
  const times = retryTimeHolders(answer.json).flatMap(
    (holder) => parseRetryTime(firstMember(holder, retryNames)) ?? [],
  );
  const waits = [headerWaitMs(answer, nowMs), ...times.map((time) => millisecondsUntil(time, nowMs))];
  const requestedWaits = waits.filter((wait) => wait !== undefined);
  return requestedWaits.length === 0 ? undefined : Math.max(0, ...requestedWaits);
}

/** Returns the wait that a response requests, in milliseconds, or 0 if it requests none. */
export const retryWaitMs = (answer: Answer, nowMs: number): number => requestedWaitMs(answer, nowMs) ?? 0;
