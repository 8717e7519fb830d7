import type { VNode } from "preact";
import { renderToStaticMarkup } from "preact-render-to-string";

/** The elements that figures, tables and their texts use. */
const allowedTags: ReadonlySet<string> = new Set(
  "section div h2 h3 h4 p b i s small strong span code ul li dl dt dd figure figcaption details summary table caption thead tbody tr th td svg title desc g path line rect circle text tspan clipPath".split(
    " ",
  ),
);

/** Markup of a component. */
export const markupOf = <Props>(node: VNode<Props>): string => renderToStaticMarkup(node);

/** Names of other elements, including any that a target injected. */
export const foreignTags = (markup: string): readonly string[] =>
  [...markup.matchAll(/<\/?(?<name>[^\s/>]*)/gu)]
    .map(({ groups }) => groups?.["name"] ?? "")
    .filter((name) => !allowedTags.has(name));

/** Attributes that the policy of a page forbids, and links. */
export const foreignAttributes = (markup: string): readonly string[] =>
  markup.match(/<[^>]*\s(?:style|on\w+|href|src|xlink:href)=/gu) ?? [];

/** Ids that occur more than once. */
export const repeatedIds = (markup: string): readonly string[] => {
  const ids = [...markup.matchAll(/\sid="(?<id>[^"]*)"/gu)].map(({ groups }) => groups?.["id"] ?? "");
  return ids.filter((id, index) => ids.indexOf(id) !== index);
};

/** The text of a markup, without its tags; character references stay as they are. */
export const textOf = (markup: string): string => markup.replaceAll(/<[^>]*>/gu, " ").replaceAll(/\s+/gu, " ");

/** Attributes with invalid numbers, or with more than one decimal. */
export const badNumbers = (markup: string): readonly string[] =>
  markup.match(
    /\s(?:d|x|y|x1|y1|x2|y2|cx|cy|width|height)="[^"]*(?:NaN|Infinity|undefined|null|\d\.\d{2}|\de[-+]?\d)[^"]*"/gu,
  ) ?? [];
