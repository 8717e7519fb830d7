import { elementsOf, member } from "@assay/reading";
import { type FrontedRequest, type ListeningTarget, startFront } from "./front.ts";

/** A front that plays replicas, and how many conversations it has played with. */
export interface Replicas extends ListeningTarget {
  readonly played: () => number;
}

/** Reads of the legacy interface. */
const isRead = ({ method, url }: FrontedRequest): boolean => method === "GET" && /\/deepsearch\/v1\/\d+$/u.test(url);

const isCompleted = (answer: string): boolean =>
  elementsOf(member(JSON.parse(answer), "questions")).every((question) => member(question, "status") === "completed");

/** What a replica shows of a conversation that has ended: from how it was before, and how it is. */
export type Backward = (before: string, now: string) => string;

/** The version of before, as a replica that lags shows it. */
export const olderVersion: Backward = (before) => before;

const laterMs = 60_000;

/** In progress again with a newer version, like a replica that lost the state of another one. */
export const backAtWork: Backward = (before, now) => {
  const [question] = elementsOf(member(JSON.parse(before), "questions"));
  const [last] = elementsOf(member(JSON.parse(now), "questions"));
  const updatedMs = Date.parse(String(member(last, "updated_at")));
  const updated = { updated_at: new Date(updatedMs + laterMs).toISOString() };
  return JSON.stringify({ ...JSON.parse(before), ...updated, questions: [Object.assign({}, question, updated)] });
};

/** Starts a proxy with a replica whose state goes back: after a read has shown the end of a conversation, the next one shows it in progress. */
export async function startBackwardReplica(serverUrl: string, backward: Backward): Promise<Replicas> {
  const before = new Map<string, string>();
  const ended = new Set<string>();
  let played = 0;
  const front = await startFront(serverUrl, async (request) => {
    const { url, answer } = request;
    const old = ended.has(url) ? before.get(url) : undefined;
    if (old !== undefined) {
      before.delete(url);
      played += 1;
    }
    const text = await answer();
    if (isRead(request) && isCompleted(text)) {
      ended.add(url);
    } else if (isRead(request)) {
      before.set(url, text);
    }
    return old === undefined || !isRead(request) ? text : backward(old, text);
  });
  return { ...front, played: () => played };
}

/**
 * Starts a front one of whose replicas is slow: the answer of the first read of a conversation, which shows it at work, is held back until
 * a later read already showed its end, and it is read again. The reads overlap, so both are right.
 */
export async function startSlowReplica(serverUrl: string): Promise<Replicas> {
  const held = new Map<string, () => void>();
  const ended = new Set<string>();
  let played = 0;
  const front = await startFront(serverUrl, async (request) => {
    const { url, answer } = request;
    if (!isRead(request)) {
      return answer();
    }
    if (ended.has(url)) {
      held.get(url)?.();
    }
    const text = await answer();
    if (isCompleted(text)) {
      ended.add(url);
    } else if (!held.has(url)) {
      await new Promise<void>((resolve) => void held.set(url, resolve));
      played += 1;
    }
    return text;
  });
  return { ...front, played: () => played };
}
