/** Documents that targets are held to. */
export const documentNames = ["search-stream", "conversation-api"] as const;
export type DocumentName = (typeof documentNames)[number];

/**
 * One statement of a document as it is written down, in words of this project. What judges it is not: the records of rules
 * and gaps say where they come from. `partly` names what the rules that come from it do not show yet, `notObservable` why
 * nothing a target does could contradict it, or why nothing outside shows it; one clause each.
 */
export type SentenceRow =
  | string
  | { readonly text: string; readonly partly: string }
  | { readonly text: string; readonly notObservable: string };

/**
 * Statements by id, in the order of the document. An id is `<document>#<section>.<number>-<slug>`; the number counts from 1
 * in each section and is never reused.
 */
export type SentenceRows = Readonly<Record<`${DocumentName}#${number}.${string}`, SentenceRow>>;
