import { gapRegister } from "../gaps.ts";
import type { GapId } from "../gaps.ts";
import { ruleIds, ruleRecord } from "../rule-catalogue.ts";
import type { RuleId } from "../rule-catalogue.ts";
import { sentenceRows } from "./sentence-id.ts";
import type { SentenceId } from "./sentence-id.ts";
import { documentNames } from "./sentence-row.ts";
import type { DocumentName, SentenceRow } from "./sentence-row.ts";

/**
 * What is done about a sentence. `rules`: these rules judge it, at least one, in the order of the catalogue; `partly` names
 * what they do not show yet. `gap`: it says that something is not shown. `not-observable`: nothing a target does could
 * contradict it, or nothing outside shows it.
 */
export type Coverage =
  | { readonly kind: "rules"; readonly rules: readonly RuleId[]; readonly partly?: string }
  | { readonly kind: "gap"; readonly gap: GapId }
  | { readonly kind: "not-observable"; readonly reason: string };

/** One statement of a document: a sentence, or a row or cell of a table that says something on its own. */
export interface Sentence {
  readonly id: SentenceId;
  readonly document: DocumentName;
  /** Number of the section, such as `2.2`. */
  readonly section: string;
  /** What is said, in words of this project. */
  readonly text: string;
  /** Derived: by the rules and gaps whose records cite the sentence. */
  readonly coverage: Coverage;
}

interface Citing<Id> {
  readonly id: Id;
  readonly sentences: readonly SentenceId[];
}

/** By sentence, the ids of the records that cite it, in their order. */
function citations<Id>(records: readonly Citing<Id>[]): ReadonlyMap<SentenceId, readonly Id[]> {
  const cited = new Map<SentenceId, Id[]>();
  for (const { id, sentences } of records) {
    for (const sentence of sentences) {
      cited.set(sentence, [...(cited.get(sentence) ?? []), id]);
    }
  }
  return cited;
}

const rulesBySentence = citations(ruleIds.map((id) => ({ id, sentences: ruleRecord(id).sentences })));

/** What a document is silent about says nothing of the sentences nearby: only a gap that a document names leaves a sentence open. */
const gapsBySentence = citations(gapRegister.filter(({ origin }) => origin === "not-shown"));

function coverageOf(id: SentenceId, row: SentenceRow): Coverage {
  if (typeof row !== "string" && "notObservable" in row) {
    return { kind: "not-observable", reason: row.notObservable };
  }
  const [gap] = gapsBySentence.get(id) ?? [];
  if (gap !== undefined) {
    return { kind: "gap", gap };
  }
  const rules = rulesBySentence.get(id) ?? [];
  return typeof row === "string" ? { kind: "rules", rules } : { kind: "rules", rules, partly: row.partly };
}

const isSentenceId = (id: string): id is SentenceId => Object.hasOwn(sentenceRows, id);

const documentOf = (id: SentenceId): DocumentName =>
  documentNames.find((name) => id.startsWith(`${name}#`)) ?? "search-stream";

/** A sentence whose document and section are cut from its id: what is before `#`, and between it and the last number. */
const sentenceOf = (id: SentenceId): Sentence => {
  const row: SentenceRow = sentenceRows[id];
  return {
    id,
    document: documentOf(id),
    section: id.slice(id.indexOf("#") + 1).replace(/\.\d+-.*$/, ""),
    text: typeof row === "string" ? row : row.text,
    coverage: coverageOf(id, row),
  };
};

/** Every statement of both documents in their order, the streaming search first, each with what is done about it. */
export const allSentences: readonly Sentence[] = Object.keys(sentenceRows).filter(isSentenceId).map(sentenceOf);
