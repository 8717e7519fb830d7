import type { GapId } from "../gaps.ts";
import type { RuleId } from "../rule-catalogue.ts";

/**
 * What is done about a sentence. `rules`: these rules judge it, `partly` names what they do not show yet. `gap`: it says
 * that something is not shown. `not-observable`: nothing a target does could contradict it, or nothing outside shows it.
 */
export type Coverage =
  | { readonly kind: "rules"; readonly rules: readonly [RuleId, ...RuleId[]]; readonly partly?: string }
  | { readonly kind: "gap"; readonly gap: GapId }
  | { readonly kind: "not-observable"; readonly reason: string };

/** Documents that targets are held to. */
export const documentNames = ["search-stream", "conversation-api"] as const;
export type DocumentName = (typeof documentNames)[number];

/** `<document>#<section>.<number>-<slug>`; the number counts from 1 in each section and is never reused. */
export type SentenceId = `${DocumentName}#${number}.${string}`;

/** One statement of a document: a sentence, or a row or cell of a table that says something on its own. */
export interface Sentence {
  readonly id: SentenceId;
  readonly document: DocumentName;
  /** Number of the section, such as `2.2`. */
  readonly section: string;
  /** What is said, in words of this project. */
  readonly text: string;
  readonly coverage: Coverage;
}

/** Coverage by rules that show all of it. */
export const judgedBy = (...rules: readonly [RuleId, ...RuleId[]]): Coverage => ({ kind: "rules", rules });

/** Coverage by rules that leave `missing` open, one clause. */
export const partlyJudgedBy = (missing: string, ...rules: readonly [RuleId, ...RuleId[]]): Coverage => ({
  kind: "rules",
  rules,
  partly: missing,
});

/** A statement that something is not shown. */
export const leftOpen = (gap: GapId): Coverage => ({ kind: "gap", gap });

/** A statement that no target can be held to from outside, because of `reason`. */
export const notObservable = (reason: string): Coverage => ({ kind: "not-observable", reason });

const documentOf = (id: SentenceId): DocumentName =>
  id.startsWith("search-stream#") ? "search-stream" : "conversation-api";

/** A sentence whose document and section are cut from the id: what is before `#`, and between it and the last number. */
export const sentence = (id: SentenceId, text: string, coverage: Coverage): Sentence => ({
  id,
  document: documentOf(id),
  section: id.slice(id.indexOf("#") + 1).replace(/\.\d+-.*$/, ""),
  text,
  coverage,
});
