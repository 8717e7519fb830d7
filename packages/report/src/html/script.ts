import { filterScript } from "./script-filter.ts";
import { figureScript } from "./script-figures.ts";
import { readingScript } from "./script-reading.ts";

/**
 * The one script of a page: plain JavaScript that adds a filter, copying, hover and zoom to what is complete without it. It
 * writes text and attributes only, never markup, and asks no network.
 */
export const pageScript = `(() => {
"use strict";
const d = document;
const all = (selector, from = d) => [...from.querySelectorAll(selector)];
const make = (tag, text, className) => {
  const element = d.createElement(tag);
  element.textContent = text;
  element.className = className;
  return element;
};
d.documentElement.classList.add("js");
${filterScript.trim()}
${readingScript.trim()}
${figureScript.trim()}
})();`;
