/** An element of a parsed document. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: XmlElement[];
  text: string;
}

const forbidden = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;
const token =
  /<!\[CDATA\[(?<cdata>[\s\S]*?)\]\]>|<\?(?<declaration>[^?]*)\?>|<\/(?<close>[\w.-]+)\s*>|<(?<open>[\w.-]+)(?<attributes>(?:\s+[\w.-]+="[^"<]*")*)\s*(?<empty>\/?)>|(?<text>[^<]+)/gy;
const reference = /&(?!(?:lt|gt|amp|quot|apos|#[0-9]+|#x[0-9A-Fa-f]+);)/u;

const unescaped = (text: string): string =>
  text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll(/&#x(?<hex>[0-9A-F]+);/giu, (_all, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))
    .replaceAll("&amp;", "&");

const checkedText = (text: string): string => {
  if (reference.test(text) || text.includes("]]>")) {
    throw new Error(`not well-formed text: ${text.slice(0, 80)}`);
  }
  return unescaped(text);
};

const attributesOf = (source: string): ReadonlyMap<string, string> => {
  const pairs = [...source.matchAll(/(?<name>[\w.-]+)="(?<value>[^"]*)"/gu)].map(
    ({ groups }) => [groups?.["name"] ?? "", checkedText(groups?.["value"] ?? "")] as const,
  );
  const attributes = new Map(pairs);
  if (attributes.size !== pairs.length) {
    throw new Error(`an attribute twice: ${source}`);
  }
  return attributes;
};

type Groups = Readonly<Record<string, string | undefined>>;

const newElement = (name: string, attributes: string): XmlElement => ({
  name,
  attributes: attributesOf(attributes),
  children: [],
  text: "",
});

const openTag = (stack: XmlElement[], { open = "", attributes = "", empty }: Groups): void => {
  const element = newElement(open, attributes);
  stack.at(-1)?.children.push(element);
  if (empty !== "/") {
    stack.push(element);
  }
};

const takeToken = (stack: XmlElement[], groups: Groups): void => {
  const { close, open, cdata, text, declaration } = groups;
  const current = stack.at(-1);
  if (close !== undefined) {
    if (stack.pop()?.name !== close) {
      throw new Error(`closes another tag: ${close}`);
    }
  } else if (open !== undefined) {
    openTag(stack, groups);
  } else if (current !== undefined && declaration === undefined) {
    current.text += cdata ?? checkedText(text ?? "");
  }
};

/**
 * Parses the part of XML 1.0 that reports use. Throws if it is not well-formed: a forbidden character, a tag that is not closed, a bare `<` or
 * `&`, `]]>` in text, a duplicate attribute, text after the root.
 */
export const parseXml = (source: string): XmlElement => {
  if (forbidden.test(source)) {
    throw new Error("a character that XML 1.0 forbids");
  }
  const top = newElement("", "");
  const stack = [top];
  let at = 0;
  for (const { 0: whole, index, groups } of source.matchAll(token)) {
    takeToken(stack, groups ?? {});
    at = index + whole.length;
  }
  const [root, ...others] = top.children;
  const isWhole = at === source.length && stack.length === 1 && others.length === 0 && top.text.trim() === "";
  if (root === undefined || !isWhole) {
    throw new Error(`not one whole specification, read to ${at} of ${source.length}`);
  }
  return root;
};

/** Every element of this name, in document order. */
export const elementsNamed = (root: XmlElement, name: string): readonly XmlElement[] =>
  root.children.flatMap((child) => [...(child.name === name ? [child] : []), ...elementsNamed(child, name)]);
