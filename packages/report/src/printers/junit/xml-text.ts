const forbidden = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/**
 * Prepares text for an XML 1.0 document: visibly escapes forbidden characters and splits `]]>`, because the library only handles the first
 * occurrence in a CDATA section.
 */
export const escapeForXml = (text: string): string =>
  text
    .replaceAll(forbidden, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
    .replaceAll("]]>", "]] >");
