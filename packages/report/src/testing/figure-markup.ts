import type { VNode } from "preact";
import { renderToStaticMarkup } from "preact-render-to-string";

/** Everything that drawings, tables and the text about them are made of. */
const allowedTags: ReadonlySet<string> = new Set(
  "section div h2 h3 h4 p b i s small strong span code ul li dl dt dd figure figcaption details summary table caption thead tbody tr th td svg title desc g path line rect circle text tspan clipPath".split(
    " ",
  ),
);

/** Markup of a component. */
export const markupOf = <Props>(node: VNode<Props>): string => renderToStaticMarkup(node);

/** Names of elements that a figure has no use for; anything that a target smuggled in is among them. */
export const foreignTags = (markup: string): readonly string[] =>
  [...markup.matchAll(/<\/?(?<name>[^\s/>]*)/gu)]
    .map(({ groups }) => groups?.["name"] ?? "")
    .filter((name) => !allowedTags.has(name));

/** Attributes that the content policy of a page forbids or that lead elsewhere. */
export const foreignAttributes = (markup: string): readonly string[] =>
  markup.match(/<[^>]*\s(?:style|on\w+|href|src|xlink:href)=/gu) ?? [];

/** Ids that stand more than once. */
export const repeatedIds = (markup: string): readonly string[] => {
  const ids = [...markup.matchAll(/\sid="(?<id>[^"]*)"/gu)].map(({ groups }) => groups?.["id"] ?? "");
  return ids.filter((id, index) => ids.indexOf(id) !== index);
};

/** The text of a markup, without its tags; character references stay as they are. */
export const textOf = (markup: string): string => markup.replaceAll(/<[^>]*>/gu, " ").replaceAll(/\s+/gu, " ");

/** Numbers in attributes that are none, or have more than one decimal. */
export const badNumbers = (markup: string): readonly string[] =>
  markup.match(
    /\s(?:d|x|y|x1|y1|x2|y2|cx|cy|width|height)="[^"]*(?:NaN|Infinity|undefined|null|\d\.\d{2}|\de[-+]?\d)[^"]*"/gu,
  ) ?? [];
