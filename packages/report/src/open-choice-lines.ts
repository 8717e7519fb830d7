import type { ReportedFinding, RunResult } from "@assay/results";
import type { Page } from "./page.ts";
import { shownText } from "./shown-text.ts";
import { wrapIndented } from "./wrap-text.ts";

/** A permitted choice of the target, or a new value it used; not escaped. */
export interface OpenChoice {
  readonly name: string;
  readonly messages: readonly string[];
}

/** What stands above choices that the documents leave open. */
export const leftOpenHeading = "Left open by the documents, and what this target does";

/** What stands above values that no document tells of. */
export const newValuesHeading = "Values not seen before";

const messagesOf = (findings: readonly ReportedFinding[]): readonly string[] => [
  ...new Set(findings.map(({ message }) => message)),
];

/** What the documents leave open and this target decided, by row of the gap register; each message once. */
export const gapChoices = ({ gaps }: RunResult): readonly OpenChoice[] =>
  gaps.filter(({ seen }) => seen.length > 0).map(({ gap, seen }) => ({ name: gap, messages: messagesOf(seen) }));

/** Values that rules of the basis `observed` had not seen before; with `everyBasis`, the notes of all rules. */
export const notedChoices = ({ verdicts }: RunResult, everyBasis = false): readonly OpenChoice[] =>
  verdicts
    .filter(({ basis, notes }) => (notes?.length ?? 0) > 0 && (everyBasis || basis === "observed"))
    .map(({ rule, notes }) => ({ name: rule, messages: messagesOf(notes ?? []) }));

const shownChoices = 5;
const shownMessages = 2;

/** Lines of a list of choices under its heading; empty without any. Not `verbose`, the list is cut and says by how much. */
export const choiceLines = (
  {
    heading,
    choices,
    verbose,
  }: { readonly heading: string; readonly choices: readonly OpenChoice[]; readonly verbose: boolean },
  { columns, paint }: Page,
): readonly string[] => {
  if (choices.length === 0) {
    return [];
  }
  const shown = verbose ? choices : choices.slice(0, shownChoices);
  const more = choices.length - shown.length;
  return [
    paint.bold(heading),
    ...shown.flatMap(({ name, messages }) => {
      const some = verbose ? messages : messages.slice(0, shownMessages);
      const rest = messages.length - some.length;
      const text = `${some.map((message) => shownText(message)).join("; ")}${rest > 0 ? `; and ${rest} more` : ""}`;
      return wrapIndented(`${shownText(name, "name")}: ${text}`, { columns, indent: 2, hanging: 6 });
    }),
    ...(more > 0 ? [`  and ${more} more, all of them with --verbose`] : []),
  ];
};
