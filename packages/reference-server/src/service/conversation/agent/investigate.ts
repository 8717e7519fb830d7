import type { Repository } from "../../repositories/repository.ts";
import type { SearchContext } from "../../search/search-context.ts";
import { findFiles, type FoundFile } from "./find-files.ts";
import { type QuestionTerm, extractTerms, requestsAllOccurrences } from "./question-terms.ts";
import { type Passage, readPassages } from "./read-passages.ts";

/** Results of an investigation. */
export interface InvestigationResult {
  readonly terms: readonly QuestionTerm[];
  /** Files with at least one term, best first. At most 200 files for each term. */
  readonly files: readonly FoundFile[];
  readonly passages: readonly Passage[];
  readonly toolCalls: number;
  /** Size of all tool outputs. */
  readonly bytes: number;
}

export interface InvestigationOptions extends SearchContext {
  readonly question: string;
  readonly repositories: readonly Repository[];
  /** Called before each of the three turns: search for each term, narrow down, read. */
  readonly beforeTurn: () => Promise<void>;
}

const maxFilesPerTerm = 200;

interface ReadingLimits {
  readonly maxFiles: number;
  readonly maxLinesPerFile: number;
}

const defaultLimits: ReadingLimits = { maxFiles: 6, maxLinesPerFile: 4 };
/** For questions that ask for all occurrences. */
const raisedLimits: ReadingLimits = { maxFiles: 80, maxLinesPerFile: 60 };

const weightByTermKind = { quoted: 3, identifier: 2, word: 1 } as const;

interface Score {
  readonly file: FoundFile;
  score: number;
}

/**
 * Merges the files of all terms. Each term in a file adds its weight, and at most 0.2 for its matches. Files with equal scores keep the
 * order in which they were found.
 */
const rankFiles = (filesByTerm: readonly (readonly [QuestionTerm, readonly FoundFile[]])[]): readonly FoundFile[] => {
  const scores = new Map<string, Score>();
  for (const [term, files] of filesByTerm) {
    for (const file of files) {
      const key = `${file.repository.name}\n${file.path}`;
      const score = scores.get(key) ?? { file, score: 0 };
      score.score += weightByTermKind[term.kind] + Math.min(file.hitCount, 20) / 100;
      scores.set(key, score);
    }
  }
  return [...scores.values()].toSorted((a, b) => b.score - a.score).map(({ file }) => file);
};

/** Counts tool calls and their output. */
const createTally = (): { toolCalls: number; bytes: number; readonly add: (bytes: number) => void } => {
  const tally = { toolCalls: 0, bytes: 0, add: (bytes: number) => void (tally.bytes += bytes) };
  return tally;
};

const withoutDuplicates = (files: readonly FoundFile[]): readonly FoundFile[] => {
  const knownKeys = new Set<string>();
  return files.filter(({ path, repository }) => {
    const key = `${repository.name}\n${path}`;
    const isNew = !knownKeys.has(key);
    knownKeys.add(key);
    return isNew;
  });
};

/**
 * Searches the repositories for the terms of a question, narrows down to files with several terms, and reads the best ones. Depends
 * only on the question and the repositories. Rejects when the signal fires.
 */
export const investigate = async (options: InvestigationOptions): Promise<InvestigationResult> => {
  const { beforeTurn, pool, question, repositories, signal } = options;
  const terms = extractTerms(question);
  const tally = createTally();
  const { maxFiles, maxLinesPerFile } = requestsAllOccurrences(question) ? raisedLimits : defaultLimits;
  const searchFor = (texts: readonly string[]): Promise<readonly FoundFile[]> => {
    tally.toolCalls += 1;
    return findFiles({ terms: texts, repositories, maxFiles: maxFilesPerTerm, pool, signal, onBytes: tally.add });
  };
  await beforeTurn();
  const filesByTerm: (readonly [QuestionTerm, readonly FoundFile[]])[] = [];
  for (const term of terms) {
    filesByTerm.push([term, await searchFor([term.text])]);
  }
  await beforeTurn();
  const foundTerms = filesByTerm.filter(([, files]) => files.length > 0).map(([{ text }]) => text);
  const sharedFiles = foundTerms.length > 1 ? await searchFor(foundTerms.slice(0, 2)) : [];
  const files = withoutDuplicates([...sharedFiles, ...rankFiles(filesByTerm)]);
  await beforeTurn();
  const filesToRead = files.slice(0, maxFiles);
  tally.toolCalls += filesToRead.length;
  const passages = await readPassages({
    files: filesToRead,
    terms: terms.map(({ text }) => text),
    maxLinesPerFile,
    onBytes: tally.add,
    pool,
    signal,
  });
  return { terms, files, passages, toolCalls: tally.toolCalls, bytes: tally.bytes };
};
