import { formatGrouped } from "../../document/counted.ts";
import type { Excerpt } from "@assay/results";
import { escapeForDisplay } from "../../document/shown-text.ts";

/**
 * Inserts a line break after each escaped line feed that ends a line of a stream. The escapes stay. Escapes inside JSON do not break the
 * line.
 */
export const breakLines = (text: string): string =>
  text.replaceAll(/(?:\\r|\\n)+(?=event: ?|data: ?|id: ?|retry: ?|: ?|$)/gu, "$&\n");

/** Shows bytes of a body with the offending ones marked, and the offset of the first byte. If bytes are missing, their position is marked. */
export const ExcerptBlock = ({ excerpt }: { readonly excerpt: Excerpt }) => {
  const before = breakLines(escapeForDisplay(excerpt.before));
  const marked = escapeForDisplay(excerpt.marked);
  const after = escapeForDisplay(excerpt.after, "excerptSide");
  const markedText = marked === "" ? "missing here" : marked;
  return (
    <pre class="bytes">
      <span class="off">from byte {formatGrouped(excerpt.offset)}</span>
      <code>
        {before}
        <mark class={marked === "" ? "gap" : undefined}>{markedText}</mark>
        {breakLines(after)}
      </code>
    </pre>
  );
};
