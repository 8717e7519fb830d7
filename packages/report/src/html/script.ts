import { figureScript } from "./script-figures.ts";

/** Copying of commands, links into what is folded away, and failures that are open on paper. */
const readingScript = String.raw`
for (const command of all("pre.curl")) {
  const text = command.textContent.trim();
  const button = make("button", "Copy", "copy");
  button.type = "button";
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(command.querySelector("code"));
      button.textContent = "Selected";
    }
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  });
  command.append(button);
}
const unfold = () => {
  const target = d.getElementById(location.hash.slice(1));
  if (target === null) return;
  for (let at = target; at !== null; at = at.parentElement) {
    if (at.tagName === "DETAILS") at.open = true;
    at.hidden = false;
  }
  target.scrollIntoView();
};
addEventListener("hashchange", unfold);
if (location.hash !== "") unfold();
let opened = [];
addEventListener("beforeprint", () => {
  opened = all(".card details:not([open])");
  for (const one of opened) one.open = true;
});
addEventListener("afterprint", () => {
  for (const one of opened) one.open = false;
});
`;

/** The filter: `s:` standing, `i:` interface, `b:` basis, all else text; everything that is asked for has to be met. */
const filterScript = String.raw`
const box = d.getElementById("filter");
const input = d.getElementById("q");
const found = d.getElementById("found");
const rows = all("[data-s]");
const texts = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));
const keys = { s: "s", i: "i", b: "b" };
const meets = (row, word) => {
  const key = word[1] === ":" ? keys[word[0]] : undefined;
  if (key === undefined) return texts.get(row).includes(word);
  const wanted = word.slice(2);
  return row.dataset[key].split(" ").some((one) => one.startsWith(wanted));
};
const filter = () => {
  const words = input.value.toLowerCase().split(/\s+/).filter((word) => word !== "");
  for (const row of rows) row.hidden = !words.every((word) => meets(row, word));
  for (const group of all("table.rules tbody")) group.hidden = all("tr[data-s]", group).every((row) => row.hidden);
  for (const square of all("a.sq")) {
    const row = d.getElementById(square.hash.slice(1))?.closest("[data-s]");
    square.classList.toggle("dim", row?.hidden === true);
  }
  const list = all("tr[data-s]");
  const count = list.filter((row) => !row.hidden).length;
  found.textContent = words.length === 0 ? "" : count + " of " + list.length + " rows of rules";
};
if (rows.length > 0) {
  box.hidden = false;
  input.addEventListener("input", filter);
  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { input.value = ""; filter(); }
  });
  for (const link of all("a[data-q]")) {
    link.addEventListener("click", () => {
      input.value = input.value === link.dataset.q ? "" : link.dataset.q;
      filter();
    });
  }
}
`;

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
