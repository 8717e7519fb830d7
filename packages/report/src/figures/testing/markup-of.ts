import type { JSX } from "preact";
import { renderToStaticMarkup } from "preact-render-to-string";
import { hiddenCharacters } from "../../testing/styles.ts";
import { elementsNamed, parseXml } from "../../testing/parse-xml.ts";
import type { XmlElement } from "../../testing/parse-xml.ts";

/** A rendered figure, also parsed as XML; parsing throws if it is not well-formed. */
export interface ReadFigure {
  readonly markup: string;
  readonly root: XmlElement;
  /** All texts of the figure, hover titles included. */
  readonly texts: readonly string[];
}

/** Escapes what HTML allows and XML does not. */
const asXml = (markup: string): string => markup.replaceAll("]]>", "]]&gt;").replaceAll(/[\uFFFE\uFFFF]/gu, "?");

/** Renders a figure and parses the result. */
export function readFigure(figure: JSX.Element): ReadFigure {
  const markup = renderToStaticMarkup(figure);
  const root = parseXml(asXml(markup));
  const texts = [...elementsNamed(root, "text"), ...elementsNamed(root, "title")].map(({ text }) => text);
  return { markup, root, texts };
}

const allElements = (root: XmlElement): readonly XmlElement[] => [root, ...root.children.flatMap(allElements)];

const coordinates = ["x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "width", "height", "d", "r"] as const;

/** Violations of the rules of all figures. */
export function figureProblems({ markup, root }: ReadFigure, id: string): readonly string[] {
  const elements = allElements(root);
  const names = elements.flatMap(({ attributes }) => [...attributes.keys()]);
  const numbers = elements.flatMap(({ attributes }) => coordinates.flatMap((name) => attributes.get(name) ?? []));
  const ids = elements.flatMap(({ attributes }) => attributes.get("id") ?? []);
  return [
    ...names.filter((name) => name === "style" || name === "href" || name.startsWith("on")),
    ...numbers.filter((value) => /\.\d\d|NaN|Infinity|undefined/u.test(value)).map((value) => `coordinate ${value}`),
    ...ids.filter((own) => !own.startsWith(`${id}-`)).map((own) => `id ${own}`),
    ...ids.filter((own, index) => ids.indexOf(own) !== index).map((own) => `id twice ${own}`),
    ...hiddenCharacters(markup).map((character) => `hidden character ${character.codePointAt(0) ?? 0}`),
    ...elements
      .filter(({ name }) => ["script", "img", "a", "b", "foreignObject"].includes(name))
      .map(({ name }) => name),
  ];
}
