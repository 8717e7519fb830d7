/** Specifications that targets must meet. */
export const specificationNames = ["search-stream", "conversation-api"] as const;
export type SpecificationName = (typeof specificationNames)[number];

/**
 * One requirement as written, in the words of this project. The rules that judge it are not named here: their records
 * cite it, as do unspecified behaviours. `partly` names the part that those rules do not judge yet. `notObservable`
 * says why no behaviour of a target can contradict it, or why nothing outside shows it. One clause each.
 */
export type RequirementRow =
  | string
  | { readonly text: string; readonly partly: string }
  | { readonly text: string; readonly notObservable: string };

/**
 * Requirements by id, in the order of the specification. An id is `<specification>#<section>.<number>-<slug>`; the
 * number counts from 1 in each section and is never reused.
 */
export type RequirementRows = Readonly<Record<`${SpecificationName}#${number}.${string}`, RequirementRow>>;
