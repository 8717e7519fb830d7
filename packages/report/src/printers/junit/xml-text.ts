const forbidden = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/**
 * Text that any XML 1.0 document can hold: forbidden characters become a visible escape, and `]]>` is parted, since the
 * library that writes CDATA sections looks after its first occurrence only.
 */
export const xmlText = (text: string): string =>
  text
    .replaceAll(forbidden, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
    .replaceAll("]]>", "]] >");
