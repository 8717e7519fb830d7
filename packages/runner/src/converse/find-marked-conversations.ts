import { defined } from "@assay/contract";
import { readList } from "@assay/reading";
import type { CallOrigin, Caller } from "./caller.ts";
import type { DrivenConversation } from "./driven-conversation.ts";
import type { Dialect } from "./dialect.ts";
import { isMarked, readLastPart } from "./run-conversation.ts";

export interface MarkedConversationsRequest {
  readonly origin: CallOrigin;
  readonly dialect: Dialect;
  /** Id of the run. */
  readonly marker: string;
  /** Wall clock of the earliest creation, ISO 8601. */
  readonly createdAfter: string;
  /** Ids to ignore. */
  readonly knownIds: ReadonlySet<string>;
}

export interface MarkedConversations {
  readonly ids: readonly string[];
  /** The reason, as a clause, why there may be more. */
  readonly incompleteReason?: string;
}

const maxPages = 5;
const pageSize = 50;
/** Maximum number of conversations read one by one because lists do not show their questions. */
const maxReads = 60;
/** Allowed difference between the clocks of the target and this machine. */
const clockSkewMs = 600_000;

function mayBeNew({ createdAt = "" }: DrivenConversation, createdAfter: string): boolean {
  const createdMs = Date.parse(createdAt);
  return Number.isNaN(createdMs) || !(createdMs < Date.parse(createdAfter) - clockSkewMs);
}

interface Candidates {
  readonly views: readonly DrivenConversation[];
  readonly incompleteReason?: string;
}

/** Lists the user's newest conversations. Undefined if they cannot be listed. */
async function listNewest(
  caller: Caller,
  { origin, dialect }: MarkedConversationsRequest,
): Promise<Candidates | undefined> {
  const views: DrivenConversation[] = [];
  const cursors = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const cursorOption = cursor === undefined ? {} : { cursor };
    const answer = await caller.call(origin, dialect.list({ size: pageSize, order: "-created_at", ...cursorOption }));
    if (answer?.kind !== "success") {
      return page === 0
        ? undefined
        : { views, incompleteReason: "some pages of the conversation list could not be read" };
    }
    const { entries = [], cursor: nextCursor } = readList(dialect.interface, answer.json) ?? {};
    views.push(...entries.map(({ json }) => dialect.read(json)));
    if (nextCursor === undefined || cursors.has(nextCursor)) {
      return { views };
    }
    cursors.add(nextCursor);
    cursor = nextCursor;
  }
  return { views, incompleteReason: `only the first ${views.length} conversations of the list were checked` };
}

/** Returns the distinct ids of candidates that may be new, with their views. */
function findNewConversations(
  views: readonly DrivenConversation[],
  { createdAfter, knownIds }: MarkedConversationsRequest,
): ReadonlyMap<string, DrivenConversation> {
  // The ids of one conversation in both interfaces have the same last part.
  const knownParts = new Set([...knownIds].map(readLastPart));
  const candidates = views.filter(
    ({ id = "", ...view }) => !knownParts.has(readLastPart(id)) && mayBeNew(view, createdAfter),
  );
  return new Map(candidates.flatMap((view) => (view.id === undefined ? [] : [[view.id, view] as const])));
}

/**
 * Finds conversations with a run's mark among the user's newest ones: in the list if it shows questions, otherwise by
 * reading them one by one. Returns undefined if the list is not available.
 */
export async function findMarkedConversations(
  caller: Caller,
  request: MarkedConversationsRequest,
): Promise<MarkedConversations | undefined> {
  const { origin, dialect, marker } = request;
  const newest = await listNewest(caller, request);
  if (newest === undefined) {
    return undefined;
  }
  const candidates = [...findNewConversations(newest.views, request)];
  const ids = candidates.flatMap(([id, view]) => (isMarked(view, marker) ? [id] : []));
  const withoutQuestions = candidates.filter(([, { texts }]) => texts.length === 0);
  for (const [id] of withoutQuestions.slice(0, maxReads)) {
    const answer = await caller.call(origin, dialect.get(id));
    ids.push(...(answer?.kind === "success" && isMarked(dialect.read(answer.json), marker) ? [id] : []));
  }
  const namelessCount = newest.views.filter((view) => view.id === undefined && isMarked(view, marker)).length;
  const reason =
    namelessCount > 0
      ? `${namelessCount} conversations with the mark of the run are listed with an unusable id`
      : withoutQuestions.length > maxReads
        ? `only ${maxReads} conversations were read one by one`
        : newest.incompleteReason;
  return { ids, ...defined({ incompleteReason: reason }) };
}
