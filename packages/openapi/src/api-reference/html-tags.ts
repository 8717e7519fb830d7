/** A start tag of a page. */
export interface HtmlTag {
  /** In lower case. */
  readonly name: string;
  /** Attributes by name in lower case, with character references resolved. */
  readonly attributes: ReadonlyMap<string, string>;
  /** Text up to the end tag, for `script` only. Otherwise empty. */
  readonly text: string;
}

const maxAttributes = 100;

/**
 * Yields the start tags of a page, without comments and scripts. Not an HTML parser, but sufficient to find links, and linear for any page.
 */
export function* htmlTags(page: string): Generator<HtmlTag> {
  const tagName = /[a-z][^\s/>]{0,60}/iy;
  let at = page.indexOf("<");
  while (at >= 0) {
    tagName.lastIndex = at + 1;
    const [name] = tagName.exec(page) ?? [];
    if (name !== undefined) {
      const { attributes, end } = parseAttributes(page, tagName.lastIndex);
      const raw = readRawText(page, { name: name.toLowerCase(), end });
      yield { name: name.toLowerCase(), attributes, text: raw.text };
      at = page.indexOf("<", raw.end);
    } else {
      at = page.indexOf("<", page.startsWith("<!--", at) ? endOrLength(page.indexOf("-->", at), page) : at + 1);
    }
  }
}

const endOrLength = (foundAt: number, page: string): number => (foundAt < 0 ? page.length : foundAt);

interface Attributes {
  readonly attributes: ReadonlyMap<string, string>;
  readonly end: number;
}

/** Parses attributes. An unterminated quote ends the tag. Only the last tag of a page can have one, so no text is scanned repeatedly. */
const parseAttributes = (page: string, start: number): Attributes => {
  const attribute = /[\s/]*([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>`]+)))?/y;
  const attributes = new Map<string, string>();
  let end = start;
  attribute.lastIndex = start;
  for (let match = attribute.exec(page); match !== null; match = attribute.exec(page)) {
    end = attribute.lastIndex;
    const [, name = "", quoted, singleQuoted, bare] = match;
    const key = name.toLowerCase();
    if (!attributes.has(key) && attributes.size < maxAttributes) {
      attributes.set(key, resolveCharacters(quoted ?? singleQuoted ?? bare ?? ""));
    }
  }
  return { attributes, end };
};

interface TagEnd {
  readonly name: string;
  readonly end: number;
}

const readRawText = (page: string, { name, end }: TagEnd): { readonly text: string; readonly end: number } => {
  if (name !== "script" && name !== "style" && name !== "textarea") {
    return { text: "", end };
  }
  const start = endOrLength(page.indexOf(">", end), page);
  const endTag = /<\/(?:script|style|textarea)/gi;
  endTag.lastIndex = start;
  const stop = endTag.exec(page)?.index ?? page.length;
  return { text: name === "script" ? page.slice(start + 1, stop) : "", end: stop };
};

const namedCharacters: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["quot", '"'],
  ["apos", "'"],
  ["lt", "<"],
  ["gt", ">"],
]);

const resolveCharacters = (value: string): string =>
  value.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,4}));/gi, (whole, ...groups: readonly unknown[]) => {
    const [decimal, hexadecimal, name] = groups;
    if (typeof name === "string") {
      return namedCharacters.get(name.toLowerCase()) ?? whole;
    }
    const code = typeof decimal === "string" ? Number(decimal) : Number.parseInt(String(hexadecimal), 16);
    return code > 0x10_ff_ff ? whole : String.fromCodePoint(code);
  });
