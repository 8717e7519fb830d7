import type { RunResult } from "@assay/results";
import { counted } from "./counted.ts";
import type { Page } from "./page.ts";
import { shownText } from "./shown-text.ts";
import { wrapIndented } from "./wrap-text.ts";

const shownEntries = 3;

/** A list under a few words, cut unless everything is wanted; nothing for an empty one. */
const listLines = (
  entries: readonly string[],
  { words, verbose }: { readonly words: string; readonly verbose: boolean },
  { columns }: Page,
): readonly string[] => {
  const shown = verbose ? entries : entries.slice(0, shownEntries);
  const rest = entries.length - shown.length;
  return [
    ...shown.flatMap((entry) => wrapIndented(`${words}: ${shownText(entry)}`, { columns, indent: 2, hanging: 6 })),
    ...(rest > 0 ? [`  and ${rest} more, all of them with --verbose`] : []),
  ];
};

/** Which OpenAPI document judged the answers, how it differs from the one that comes with the tool, and what was not seen. */
export const apiDocumentLines = (
  { openapi }: Pick<RunResult, "openapi">,
  { page, verbose }: { readonly page: Page; readonly verbose: boolean },
): readonly string[] => {
  if (openapi === undefined) {
    return [];
  }
  const { source, address, sha256, notes, differences, unseen } = openapi;
  const origin =
    source === "served"
      ? `the target's own, ${shownText(address ?? "", "url")} (sha256 ${shownText(sha256 ?? "", "name").slice(0, 12)})`
      : "the one that comes with the tool";
  const counts = `${counted(differences.length, "difference")} to the one that comes with the tool`;
  const sum = `${origin}${source === "served" ? `; ${counts}` : ""}; ${unseen.length} documented and not seen`;
  const { columns, paint } = page;
  return [
    paint.bold("OpenAPI document"),
    ...wrapIndented(sum, { columns, indent: 2, hanging: 4 }),
    ...listLines(notes, { words: "note", verbose }, page),
    ...listLines(differences, { words: "differs", verbose }, page),
    ...(verbose ? listLines(unseen, { words: "not seen", verbose }, page) : []),
  ];
};
