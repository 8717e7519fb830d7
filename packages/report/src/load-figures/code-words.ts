import { grammarObservations, grammarViolations } from "@assay/contract";
import { standardClientWords } from "../outcome-words.ts";

/** Codes that scenarios count beside those of the event format. */
const otherCodes: Readonly<Record<string, string>> = {
  "illegal-transition": "a conversation went from one state to another that may not follow it",
  "unknown-state": "a conversation showed a state that the documents do not name",
  "bad-answer": "an answer of the conversation API without what it must hold",
  "content-type": "another content type than `text/event-stream`, or none",
};

const isViolation = (code: string): code is keyof typeof grammarViolations => Object.hasOwn(grammarViolations, code);
const isObservation = (code: string): code is keyof typeof grammarObservations =>
  Object.hasOwn(grammarObservations, code);
const other = (code: string): string => (Object.hasOwn(otherCodes, code) ? (otherCodes[code] ?? "") : "");

/** What a code of a violation means, one clause; empty for a code that the project does not know. */
export const violationMeaning = (code: string): string =>
  isViolation(code)
    ? `${grammarViolations[code].title}; ${standardClientWords[grammarViolations[code].standardClient]}`
    : other(code);

/** The rule that a violation of this code breaks; undefined where none is named after it. */
export const violatedRule = (code: string): string | undefined =>
  isViolation(code) ? grammarViolations[code].rule : undefined;

/** What a code of a permitted choice means, one clause; empty for a code that the project does not know. */
export const observationMeaning = (code: string): string =>
  isObservation(code) ? grammarObservations[code].title : other(code);
