import { groupedNumber } from "../../document/counted.ts";
import type { Excerpt } from "@assay/results";
import { shownText } from "../../document/shown-text.ts";

/**
 * Text of a stream with a line break after each escape of a line feed that ends a line of it. Only what is drawn changes: the
 * escapes stay, and inside of JSON, where the same two characters are an escape of JSON, nothing is broken.
 */
export const brokenLines = (text: string): string =>
  text.replaceAll(/(?:\\r|\\n)+(?=event: ?|data: ?|id: ?|retry: ?|: ?|$)/gu, "$&\n");

/** Bytes of a body with the offending ones marked, and the offset of the first of these; where something is missing the place is marked. */
export const ExcerptBlock = ({ excerpt }: { readonly excerpt: Excerpt }) => {
  const before = brokenLines(shownText(excerpt.before));
  const marked = shownText(excerpt.marked);
  const after = shownText(excerpt.after, "excerptSide");
  const end = marked === "" ? "missing here" : marked;
  return (
    <pre class="bytes">
      <span class="off">from byte {groupedNumber(excerpt.offset)}</span>
      <code>
        {before}
        <mark class={marked === "" ? "gap" : undefined}>{end}</mark>
        {brokenLines(after)}
      </code>
    </pre>
  );
};
