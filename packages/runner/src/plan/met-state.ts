import { member } from "@assay/reading";
import { createHash } from "node:crypto";
import type { RecordedExchange } from "@assay/evidence";
import { isOnlyInforming, tellsOfIncompleteness } from "@assay/rules";
import type { StreamEvent } from "@assay/stream-grammar";
import { readEvents } from "./answer-events.ts";

/** What an answer tells of the state of the index that its search met. */
export interface MetState {
  /** The commit of each repository that matches name one of. */
  readonly commits: ReadonlyMap<string, string>;
  /** Equal for answers with matches in the same files. */
  readonly files: string;
  /** True if it came to its end and has no match. */
  readonly isEmpty: boolean;
  /** Whether it told of something that may be otherwise next time: a problem, or something left out that was no limit. */
  readonly isIncomplete: boolean;
}

/** Of longer answers nothing is told: reading them takes time that other searches are on their way in. */
const mostBytes = 1024 * 1024;

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

interface Draft {
  readonly commits: Map<string, Set<string>>;
  readonly files: Set<string>;
  matches: number;
  isDone: boolean;
  isIncomplete: boolean;
}

function takeMatch(draft: Draft, match: unknown): void {
  draft.matches += 1;
  const [repository, path, commit] = ["repository", "path", "commit"].map((name) => member(match, name));
  draft.files.add(JSON.stringify([repository, path]));
  if (typeof repository === "string" && typeof commit === "string" && member(match, "type") === "content") {
    draft.commits.set(repository, (draft.commits.get(repository) ?? new Set()).add(commit));
  }
}

function takeEvent(draft: Draft, { name, value }: StreamEvent): void {
  draft.isDone ||= name === "done";
  for (const match of name === "matches" ? listOf(value) : []) {
    takeMatch(draft, match);
  }
  const skipped = name === "progress" ? listOf(member(value, "skipped")) : [];
  draft.isIncomplete ||=
    name === "error" ||
    (name === "alert" && !isOnlyInforming(value)) ||
    skipped.some((entry) => tellsOfIncompleteness(member(entry, "reason")));
}

/** `undefined` for an answer that is no stream, or too long a one. Decides nothing. */
export function metState(answer: RecordedExchange): MetState | undefined {
  const { response } = answer.record;
  if (response?.status !== 200 || response.body.bytes > mostBytes) {
    return undefined;
  }
  const draft: Draft = { commits: new Map(), files: new Set(), matches: 0, isDone: false, isIncomplete: false };
  readEvents(answer, (event) => takeEvent(draft, event));
  const commits = [...draft.commits].flatMap(([repository, [commit, ...more]]) =>
    commit === undefined || more.length > 0 ? [] : [[repository, commit] as const],
  );
  const files = createHash("sha256")
    .update(JSON.stringify([...draft.files].toSorted()))
    .digest("hex");
  const { matches, isDone, isIncomplete } = draft;
  return { commits: new Map(commits), files, isEmpty: isDone && matches === 0, isIncomplete };
}
