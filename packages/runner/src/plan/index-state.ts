import { elementsOf, member } from "@assay/reading";
import { createHash } from "node:crypto";
import type { RecordedExchange } from "@assay/evidence";
import { isInformational, mayDifferNextTime } from "@assay/rules";
import type { StreamEvent } from "@assay/stream-grammar";
import { readEvents } from "./read-events.ts";

/** The state of the search index that one response reveals. */
export interface IndexState {
  /** The commit of each repository whose matches all have the same commit. */
  readonly commits: ReadonlyMap<string, string>;
  /** Equal for responses with matches in the same files. */
  readonly files: string;
  /** True if the stream ended with `done` and contained no match. */
  readonly isEmpty: boolean;
  /** True if the response reports a problem, or results skipped for a reason other than a limit, so that a retry may find more. */
  readonly isIncomplete: boolean;
}

/** Maximum size of a response to read. Longer ones would take too long while other searches are in flight. */
const maxBytes = 1024 * 1024;

interface IndexStateDraft {
  readonly commits: Map<string, Set<string>>;
  readonly files: Set<string>;
  matches: number;
  isDone: boolean;
  isIncomplete: boolean;
}

function addMatch(draft: IndexStateDraft, match: unknown): void {
  draft.matches += 1;
  const [repository, path, commit] = ["repository", "path", "commit"].map((name) => member(match, name));
  draft.files.add(JSON.stringify([repository, path]));
  if (typeof repository === "string" && typeof commit === "string" && member(match, "type") === "content") {
    draft.commits.set(repository, (draft.commits.get(repository) ?? new Set()).add(commit));
  }
}

function addEvent(draft: IndexStateDraft, { name, value }: StreamEvent): void {
  draft.isDone ||= name === "done";
  for (const match of name === "matches" ? elementsOf(value) : []) {
    addMatch(draft, match);
  }
  const skippedEntries = name === "progress" ? elementsOf(member(value, "skipped")) : [];
  draft.isIncomplete ||=
    name === "error" ||
    (name === "alert" && !isInformational(value)) ||
    skippedEntries.some((entry) => mayDifferNextTime(member(entry, "reason")));
}

/** Reports whether a response has matches, and each of them names a commit. Searches at the same commits need no repetition. */
export function namesCommits(answer: RecordedExchange): boolean {
  let [matchCount, commitCount] = [0, 0];
  readEvents(answer, ({ name, value }) => {
    for (const match of name === "matches" ? elementsOf(value) : []) {
      matchCount += 1;
      commitCount += Number(typeof member(match, "commit") === "string");
    }
  });
  return matchCount > 0 && commitCount === matchCount;
}

/** Reads the index state from a response. Returns undefined if it is not a stream or is longer than 1 MiB. */
export function readIndexState(answer: RecordedExchange): IndexState | undefined {
  const { response } = answer.record;
  if (response?.status !== 200 || response.body.bytes > maxBytes) {
    return undefined;
  }
  const draft: IndexStateDraft = {
    commits: new Map(),
    files: new Set(),
    matches: 0,
    isDone: false,
    isIncomplete: false,
  };
  readEvents(answer, (event) => addEvent(draft, event));
  const commits = [...draft.commits].flatMap(([repository, [commit, ...otherCommits]]) =>
    commit === undefined || otherCommits.length > 0 ? [] : [[repository, commit] as const],
  );
  const files = createHash("sha256")
    .update(JSON.stringify([...draft.files].toSorted()))
    .digest("hex");
  const { matches, isDone, isIncomplete } = draft;
  return { commits: new Map(commits), files, isEmpty: isDone && matches === 0, isIncomplete };
}
