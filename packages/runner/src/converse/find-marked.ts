import { defined } from "@assay/contract";
import { readList } from "@assay/reading";
import type { Asker, Caller } from "./caller.ts";
import type { DrivenConversation } from "./driven-conversation.ts";
import type { Dialect } from "./dialect.ts";
import { isMarked, lastPart } from "./thread.ts";

export interface MarkedRequest {
  readonly asker: Asker;
  readonly dialect: Dialect;
  /** Id of the run. */
  readonly marker: string;
  /** Wall clock of the earliest creation, ISO 8601. */
  readonly since: string;
  /** Ids to ignore. */
  readonly known: ReadonlySet<string>;
}

export interface FoundConversations {
  readonly ids: readonly string[];
  /** A clause about why there may be more. */
  readonly why?: string;
}

const maxPages = 5;
const pageSize = 50;
/** Maximum number of conversations read one by one because lists do not show their questions. */
const maxReads = 60;
/** Allowed difference between the clocks of the target and this machine. */
const clockSkewMs = 600_000;

function mayBeNew({ createdAt = "" }: DrivenConversation, since: string): boolean {
  const createdMs = Date.parse(createdAt);
  return Number.isNaN(createdMs) || !(createdMs < Date.parse(since) - clockSkewMs);
}

interface Candidates {
  readonly views: readonly DrivenConversation[];
  readonly why?: string;
}

/** The newest conversations of the user; undefined if they cannot be listed. */
async function listNewest(caller: Caller, { asker, dialect }: MarkedRequest): Promise<Candidates | undefined> {
  const views: DrivenConversation[] = [];
  const cursors = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const after = cursor === undefined ? {} : { cursor };
    const answer = await caller.call(asker, dialect.list({ size: pageSize, order: "-created_at", ...after }));
    if (answer?.kind !== "success") {
      return page === 0 ? undefined : { views, why: "not all pages of the list of conversations could be read" };
    }
    const { entries = [], cursor: next } = readList(dialect.interface, answer.json) ?? {};
    views.push(...entries.map(({ json }) => dialect.read(json)));
    if (next === undefined || cursors.has(next)) {
      return { views };
    }
    cursors.add(next);
    cursor = next;
  }
  return { views, why: `only the first ${views.length} conversations of the list were checked` };
}

/** Distinct ids of candidates that may be new, with a view if the list showed questions. */
function findNewConversations(
  views: readonly DrivenConversation[],
  { since, known }: MarkedRequest,
): ReadonlyMap<string, DrivenConversation> {
  // The ids of one conversation in both interfaces have the same last part.
  const knownParts = new Set([...known].map(lastPart));
  const candidates = views.filter(({ id = "", ...view }) => !knownParts.has(lastPart(id)) && mayBeNew(view, since));
  return new Map(candidates.flatMap((view) => (view.id === undefined ? [] : [[view.id, view] as const])));
}

/**
 * Finds conversations with the mark of a run among the newest of the user: in the list if it shows questions, otherwise by reading each.
 * Undefined if the list is not available.
 */
export async function findMarked(caller: Caller, request: MarkedRequest): Promise<FoundConversations | undefined> {
  const { asker, dialect, marker } = request;
  const list = await listNewest(caller, request);
  if (list === undefined) {
    return undefined;
  }
  const candidates = [...findNewConversations(list.views, request)];
  const ids = candidates.flatMap(([id, view]) => (isMarked(view, marker) ? [id] : []));
  const withoutQuestions = candidates.filter(([, { texts }]) => texts.length === 0);
  for (const [id] of withoutQuestions.slice(0, maxReads)) {
    const answer = await caller.call(asker, dialect.get(id));
    ids.push(...(answer?.kind === "success" && isMarked(dialect.read(answer.json), marker) ? [id] : []));
  }
  const nameless = list.views.filter((view) => view.id === undefined && isMarked(view, marker)).length;
  const reason =
    nameless > 0
      ? `${nameless} conversations with the mark of the run are listed with an unusable id`
      : withoutQuestions.length > maxReads
        ? `only ${maxReads} conversations were read one by one`
        : list.why;
  return { ids, ...defined({ why: reason }) };
}
