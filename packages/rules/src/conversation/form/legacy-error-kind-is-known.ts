import { observedErrorKinds } from "@assay/contract";
import { member, shownValue } from "../../engine/json-value.ts";
import { eachQuestion } from "../engine/each-question.ts";
import { stringMember } from "../engine/wire-member.ts";

const known: ReadonlySet<string> = new Set(observedErrorKinds);

/** Kinds of errors are an open set: a new one is told, and never fails. Source: conversation-api, section 7. */
export const legacyErrorKindIsKnown = eachQuestion({
  id: "legacy/error-kind-is-known",
  interface: "legacy",
  check({ question }, report) {
    const kind = stringMember(member(question.json, "error"), "kind");
    if (kind === undefined) {
      return;
    }
    report.observe();
    if (!known.has(kind)) {
      report.observation({
        message: `new kind of error: \`${shownValue(kind)}\``,
        pointer: `${question.pointer}/error/kind`,
      });
    }
  },
});
