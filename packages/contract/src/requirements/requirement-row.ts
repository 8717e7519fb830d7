/** Documents that targets are held to. */
export const specificationNames = ["search-stream", "conversation-api"] as const;
export type SpecificationName = (typeof specificationNames)[number];

/**
 * One statement of a document as it is written down, in words of this project. What judges it is not: the records of rules
 * and unspecified say where they come from. `partly` names what the rules that come from it do not show yet, `notObservable` why
 * nothing a target does could contradict it, or why nothing outside shows it; one clause each.
 */
export type RequirementRow =
  | string
  | { readonly text: string; readonly partly: string }
  | { readonly text: string; readonly notObservable: string };

/**
 * Statements by id, in the order of the document. An id is `<document>#<section>.<number>-<slug>`; the number counts from 1
 * in each section and is never reused.
 */
export type RequirementRows = Readonly<Record<`${SpecificationName}#${number}.${string}`, RequirementRow>>;
