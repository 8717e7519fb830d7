import { groupedNumber } from "../../document/counted.ts";
import type { Excerpt } from "@assay/results";
import { shownText } from "../../document/shown-text.ts";

/**
 * Text of a stream with a line break after each escaped line feed that ends a line. The escapes stay. Escapes inside JSON do not break the
 * line.
 */
export const brokenLines = (text: string): string =>
  text.replaceAll(/(?:\\r|\\n)+(?=event: ?|data: ?|id: ?|retry: ?|: ?|$)/gu, "$&\n");

/** Bytes of a body with the offending ones marked, and the offset of the first byte; if bytes are missing, their place is marked. */
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
