import { spend } from "./allowance.ts";
import type { Allowance } from "./allowance.ts";
import { chunkText } from "./chunk-matches.ts";
import type { FoundFile } from "./found-file.ts";
import type { Match, MatchLines } from "./matches/match.ts";
import { defined } from "@assay/contract";
import { arrayMember, member } from "@assay/reading";
import type { JsonRecord } from "@assay/reading";

interface FileDraft extends FoundFile {
  readonly lines: Map<number, string | undefined>;
  readonly unmarkedLines: Set<number>;
  readonly chunkTexts: string[];
  commit: string | undefined;
  mayHaveMoreLines: boolean;
  hasConflicts: boolean;
  lacksChunkText: boolean;
}

/** The subject of a match of a type other than content. */
export interface FoundItem {
  readonly type: string;
  readonly repository: string;
  /** A path, or the name of a commit. Empty for the repository itself. */
  readonly subject: string;
  /** The commit that the match names, if any. The specification does not mention it for these types. */
  readonly commit?: string;
}

/** A filter that a search suggests adding to its query. */
export interface SuggestedFilter {
  /** Number of matches that remain with the filter. */
  readonly count: number;
  /** Whether the suggestion claims that this number is complete. */
  readonly isExhaustive: boolean;
}

/** The results of a search so far. */
export interface ResultDraft {
  readonly allowances: readonly Allowance[];
  readonly files: Map<string, FileDraft>;
  readonly otherItems: Map<string, FoundItem>;
  readonly unidentifiedCounts: Map<string, number>;
  readonly skippedReasons: Set<string>;
  /** The last suggested filters, by value. */
  suggestedFilters: ReadonlyMap<string, SuggestedFilter>;
  highlights: number;
  matchCount: number | undefined;
  repositoriesCount: number | undefined;
  hasSkipped: boolean;
  hasSevereAlert: boolean;
  isPartial: boolean;
  lacksText: boolean;
}

/** Returns the draft of a search without results. */
export const emptyDraft = (allowances: readonly Allowance[]): ResultDraft => ({
  allowances,
  files: new Map(),
  otherItems: new Map(),
  unidentifiedCounts: new Map(),
  skippedReasons: new Set(),
  suggestedFilters: new Map(),
  highlights: 0,
  matchCount: undefined,
  repositoriesCount: undefined,
  hasSkipped: false,
  hasSevereAlert: false,
  isPartial: false,
  lacksText: false,
});

/** Estimated memory of a string in addition to its characters, counted in characters. */
const textOverhead = 32;

const asString = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/**
 * Reserves room for one more item with this name. It returns false and marks the search as partial if there is none.
 */
function reserveItem(draft: ResultDraft, name: string): boolean {
  const { allowances } = draft;
  const fits = spend(allowances, "items", 1) && spend(allowances, "characters", name.length + textOverhead);
  draft.isPartial ||= !fits;
  return fits;
}

/** Returns the text, or undefined if there is no room for it. */
function keepText(draft: ResultDraft, text: string | undefined): string | undefined {
  if (text === undefined) {
    return undefined;
  }
  const fits = spend(draft.allowances, "characters", text.length + textOverhead);
  draft.lacksText ||= !fits;
  return fits ? text : undefined;
}

/** Adds one element of `matches`. An element without a readable type makes the search partial. */
export function addMatch(draft: ResultDraft, match: Match): void {
  const { type } = match;
  if (type === undefined) {
    draft.isPartial = true;
  }
  if (draft.isPartial || type === undefined) {
    return;
  }
  if (type === "content") {
    addContent(draft, match);
  } else {
    const { value } = match;
    const counts = ["symbols", "ranges", "pathMatches"].map((name) => arrayMember(value, name).length);
    draft.highlights += Math.max(1, ...counts);
    addOtherItem(draft, type, value);
  }
}

function addUnidentified(draft: ResultDraft, type: string): void {
  const count = draft.unidentifiedCounts.get(type) ?? 0;
  if (count > 0 || reserveItem(draft, type)) {
    draft.unidentifiedCounts.set(type, count + 1);
  }
}

/**
 * Returns the subject of a match of a type other than content, within its repository. It returns undefined if the match
 * does not contain it.
 */
function describeSubject(type: string, match: unknown): string | undefined {
  switch (type) {
    case "repo":
      return "";
    case "commit":
    case "diff":
      return asString(member(match, "oid")) ?? asString(member(match, "url"));
    default:
      return asString(member(match, "path"));
  }
}

function addOtherItem(draft: ResultDraft, type: string, match: unknown): void {
  const repository = member(match, "repository");
  const subject = describeSubject(type, match);
  if (typeof repository !== "string" || subject === undefined) {
    addUnidentified(draft, type);
    return;
  }
  const key = JSON.stringify([type, repository, subject]);
  if (!draft.otherItems.has(key) && reserveItem(draft, key)) {
    // The commit of these types is what was found, not the state of the index.
    const commit = type === "commit" || type === "diff" ? undefined : asString(member(match, "commit"));
    draft.otherItems.set(key, { type, repository, subject, ...defined({ commit }) });
  }
}

function getOrAddFile(draft: ResultDraft, repository: string, path: string): FileDraft | undefined {
  const key = JSON.stringify([repository, path]);
  const existingFile = draft.files.get(key);
  if (existingFile !== undefined || !reserveItem(draft, key)) {
    return existingFile;
  }
  const file: FileDraft = {
    repository,
    path,
    lines: new Map(),
    unmarkedLines: new Set(),
    chunkTexts: [],
    commit: undefined,
    mayHaveMoreLines: false,
    hasConflicts: false,
    lacksChunkText: false,
  };
  draft.files.set(key, file);
  return file;
}

function addCommit(file: FileDraft, commit: string | undefined): void {
  if (commit !== undefined) {
    file.hasConflicts ||= file.commit !== undefined && file.commit !== commit;
    file.commit ??= commit;
  }
}

function addContent(draft: ResultDraft, match: Match): void {
  const { repository, path, lines, commit } = match;
  const chunks = match.chunkCount > 0 ? match.chunks : [];
  draft.highlights += lines.count + chunks.length === 0 ? 1 : countHighlights(lines, chunks);
  if (repository === undefined || path === undefined) {
    addUnidentified(draft, "content");
    return;
  }
  const file = getOrAddFile(draft, repository, path);
  if (file === undefined) {
    return;
  }
  addCommit(file, commit);
  file.mayHaveMoreLines ||= lines.count === 0;
  for (let index = 0; index < lines.count; index += 1) {
    addLine(draft, file, { lines, index });
  }
  for (const chunk of chunks) {
    addChunk(draft, file, chunk);
  }
}

/**
 * Returns the number of highlighted ranges in the lines or in the chunk matches, whichever is larger. A part without a
 * list of ranges has one, a part with an empty list has none.
 */
function countHighlights(lines: MatchLines, chunks: readonly JsonRecord[]): number {
  let inLines = 0;
  for (let index = 0; index < lines.count; index += 1) {
    inLines += lines.hasPairs(index) ? lines.pairCount(index) : 1;
  }
  const inChunks = chunks.reduce((sum, chunk) => {
    const ranges = member(chunk, "ranges");
    return sum + (Array.isArray(ranges) ? ranges.length : 1);
  }, 0);
  return Math.max(inLines, inChunks);
}

interface LineOfMatch {
  readonly lines: MatchLines;
  readonly index: number;
}

function addLine(draft: ResultDraft, file: FileDraft, { lines, index }: LineOfMatch): void {
  const number = lines.number(index);
  const text = lines.text(index);
  if (number === undefined || !Number.isFinite(number)) {
    file.mayHaveMoreLines = true;
  } else if (file.lines.has(number)) {
    file.hasConflicts ||= file.lines.get(number) !== text;
  } else if (reserveItem(draft, "")) {
    file.lines.set(number, keepText(draft, text));
    if (lines.hasPairs(index) && lines.pairCount(index) === 0) {
      file.unmarkedLines.add(number);
    }
  }
}

function addChunk(draft: ResultDraft, file: FileDraft, chunk: JsonRecord): void {
  const text = keepText(draft, chunkText(chunk));
  if (text === undefined) {
    file.lacksChunkText = true;
  } else {
    file.chunkTexts.push(text);
  }
}
