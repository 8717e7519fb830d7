import type { Repository } from "../../repositories/repository.ts";
import type { SearchSurroundings } from "../../search/search-surroundings.ts";
import type { FoundFile } from "./find-files.ts";
import { readBlobs } from "./read-blobs.ts";

/** A line of a file that has a term in it. */
export interface Passage {
  readonly repository: Repository;
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly text: string;
  readonly isDefinition: boolean;
}

export interface PassageReading extends SearchSurroundings {
  readonly files: readonly FoundFile[];
  readonly terms: readonly string[];
  readonly mostLinesPerFile: number;
  readonly onBytes: (bytes: number) => void;
}

const definition =
  /(?:^|\s)(?:function|class|interface|type|enum|struct|trait|def|fn|func|const|let|var|module|package|namespace)\s+$/u;

const wordCharacter = /^[\p{L}\p{N}_$]/u;

/** Whether a line defines a term: a word such as `function` stands before it, and nothing that belongs to its name after it. */
const isDefinition = (line: string, terms: readonly string[]): boolean => {
  const lower = line.toLowerCase();
  return terms.some((term) => {
    const at = lower.indexOf(term);
    const end = at + term.length;
    return (
      at > 0 && definition.test(line.slice(Math.max(0, at - 40), at)) && !wordCharacter.test(line.slice(end, end + 1))
    );
  });
};

interface ReadFile {
  readonly file: FoundFile;
  readonly text: string;
}

const passagesOf = ({ file, text }: ReadFile, terms: readonly string[], mostLines: number): readonly Passage[] => {
  const all = text.split("\n").flatMap((line, index): readonly Passage[] => {
    const lower = line.toLowerCase();
    return terms.some((term) => lower.includes(term))
      ? [{ ...file, line: index + 1, text: line, isDefinition: isDefinition(line, terms) }]
      : [];
  });
  // Definitions say most; what is shown of a file stands in the order of its lines.
  const best = [...all.filter((passage) => passage.isDefinition), ...all.filter((passage) => !passage.isDefinition)];
  return best.slice(0, mostLines).toSorted((one, other) => one.line - other.line);
};

const textsOf = async (reading: PassageReading): Promise<ReadonlyMap<FoundFile, string>> => {
  const texts = new Map<FoundFile, string>();
  for (const repository of new Set(reading.files.map((file) => file.repository))) {
    const files = reading.files.filter((file) => file.repository === repository);
    const contents = await readBlobs({ ...reading, repository, paths: files.map(({ path }) => path) });
    for (const file of files) {
      const text = contents.get(file.path);
      if (text !== undefined) {
        reading.onBytes(text.length);
        texts.set(file, text);
      }
    }
  }
  return texts;
};

/** Reads files and takes out the lines with a term, upper and lower case alike, in the order of the files. */
export const readPassages = async (reading: PassageReading): Promise<readonly Passage[]> => {
  const terms = reading.terms.map((term) => term.toLowerCase());
  const texts = await textsOf(reading);
  return reading.files.flatMap((file) =>
    passagesOf({ file, text: texts.get(file) ?? "" }, terms, reading.mostLinesPerFile),
  );
};
