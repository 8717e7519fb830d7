/**
 * Hover and zoom of figures. A mark shows its title at once. An svg with \`data-zoom="x"\` is zoomed in x by dragging or by buttons. Its marks
 * are in a group with \`data-zoom-target\`: the left and right end of the plot, where a zoomed figure is clipped. Texts and circles keep their
 * shape; a text keeps its distance from \`data-zoom-at\` [its own x]. The group has the axis, a group with \`data-zoom-axis\` (a position, its
 * value, another position, its value) and \`data-zoom-unit\`, which follows each number [nothing]. Its ticks, each with \`data-zoom-tick\`, a
 * line and a text, are replaced on zoom.
 */
const figureScript = String.raw`
const tip = make("div", "", "");
tip.id = "tip";
tip.hidden = true;
d.body.append(tip);
for (const svg of all("svg[role=img]")) {
  svg.addEventListener("pointermove", (event) => {
    for (const title of all(":scope * > title", svg)) {
      title.parentElement.dataset.tip = title.textContent;
      title.remove();
    }
    const mark = event.target.closest("[data-tip]");
    tip.hidden = mark === null;
    if (mark === null) return;
    tip.textContent = mark.dataset.tip;
    const left = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8);
    tip.style.left = Math.max(8, left) + "px";
    tip.style.top = Math.min(event.clientY + 16, innerHeight - tip.offsetHeight - 8) + "px";
  });
  svg.addEventListener("pointerleave", () => { tip.hidden = true; });
}
const svgNames = "http://www.w3.org/2000/svg";
let clips = 0;
const ticksOf = (axis) => {
  const [place, value, otherPlace, otherValue] = axis.dataset.zoomAxis.split(" ").map(Number);
  const perPixel = (otherValue - value) / (otherPlace - place);
  const valueAt = (x) => value + (x - place) * perPixel;
  const own = all("[data-zoom-tick]", axis);
  const home = Number(own[0]?.querySelector("line").getAttribute("x1"));
  let drawn = [];
  return (from, to, whole, shown) => {
    for (const tick of drawn) tick.remove();
    for (const tick of own) whole ? tick.removeAttribute("visibility") : tick.setAttribute("visibility", "hidden");
    drawn = [];
    if (whole || own.length === 0) return;
    const span = valueAt(to) - valueAt(from);
    const power = 10 ** Math.floor(Math.log10(span / 4));
    const step = power * [1, 2, 5, 10].find((size) => span / (power * size) <= 8);
    for (let at = Math.ceil(valueAt(from) / step - 1e-6); at <= valueAt(to) / step + 1e-6; at += 1) {
      const tick = own[0].cloneNode(true);
      tick.removeAttribute("visibility");
      tick.setAttribute("transform", "translate(" + (shown(place + (at * step - value) / perPixel) - home) + " 0)");
      const [units, part] = String(Number((at * step).toPrecision(9))).split(".");
      const number = units.replace(/\B(?=(\d{3})+$)/g, ",") + (part === undefined ? "" : "." + part);
      tick.querySelector("text").textContent = number + (axis.dataset.zoomUnit ?? "");
      drawn.push(tick);
    }
    axis.append(...drawn);
  };
};
const zoomable = (svg, target) => {
  const [low, high] = target.dataset.zoomTarget.split(" ").map(Number);
  let [from, to] = [low, high];
  const axis = target.querySelector("[data-zoom-axis]");
  target.before(axis);
  const drawTicks = ticksOf(axis);
  const box = target.getBBox();
  const clip = d.createElementNS(svgNames, "clipPath");
  clip.id = "zoom-clip-" + (clips += 1);
  const frame = d.createElementNS(svgNames, "rect");
  const outer = d.createElementNS(svgNames, "g");
  for (const [name, value] of [["x", low - 1], ["y", box.y - 8], ["width", high - low + 2], ["height", box.height + 16]]) {
    frame.setAttribute(name, value);
  }
  clip.append(frame);
  svg.append(clip);
  target.replaceWith(outer);
  outer.append(target);
  const still = all("text, circle, [data-zoom-keep]", target).map((mark) => [mark, mark.getAttribute("transform") ?? ""]);
  const shown = (x) => low + ((x - from) / (to - from)) * (high - low);
  const draw = () => {
    const scale = (high - low) / (to - from);
    const whole = scale < 1.001;
    const set = (element, name, value) => whole ? element.removeAttribute(name) : element.setAttribute(name, value);
    drawTicks(from, to, whole, shown);
    set(outer, "clip-path", "url(#" + clip.id + ")");
    set(target, "transform", "translate(" + (low - from * scale) + " 0) scale(" + scale + " 1)");
    for (const [mark, own] of still) {
      const x = Number(mark.dataset.zoomAt ?? mark.getAttribute("cx") ?? mark.getAttribute("x") ?? 0);
      mark.setAttribute("transform", whole ? own : "translate(" + (x - x / scale) + " 0) scale(" + 1 / scale + " 1) " + own);
    }
  };
  const show = (start, end) => {
    const width = Math.min(high - low, Math.max((high - low) / 500, end - start));
    from = Math.max(low, Math.min(start, high - width));
    to = from + width;
    draw();
  };
  const by = (factor) => {
    const [middle, half] = [(from + to) / 2, ((to - from) * factor) / 2];
    show(middle - half, middle + half);
  };
  const shift = (share) => show(from + (to - from) * share, to + (to - from) * share);
  const bar = make("div", "", "zoom");
  const actions = [
    ["+", "Zoom in", () => by(0.5)], ["−", "Zoom out", () => by(2)], ["←", "Earlier", () => shift(-0.5)],
    ["→", "Later", () => shift(0.5)], ["All", "Show all", () => show(low, high)],
  ];
  for (const [text, label, act] of actions) {
    const button = make("button", text, "");
    button.type = "button";
    button.title = label;
    button.setAttribute("aria-label", label);
    button.addEventListener("click", act);
    bar.append(button);
  }
  svg.before(bar);
  svg.classList.add("zoomable");
  const at = (event) => {
    const inSvg = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse()).x;
    return from + ((Math.max(low, Math.min(high, inSvg)) - low) / (high - low)) * (to - from);
  };
  const band = d.createElementNS(svgNames, "rect");
  for (const [name, value] of [["y", box.y], ["height", box.height], ["class", "band"], ["visibility", "hidden"]]) {
    band.setAttribute(name, value);
  }
  svg.append(band);
  let start;
  svg.addEventListener("pointerdown", (event) => { start = event.button === 0 ? at(event) : undefined; });
  svg.addEventListener("pointermove", (event) => {
    if (start === undefined) return;
    const [left, right] = [start, at(event)].map(shown).sort((a, b) => a - b);
    band.setAttribute("x", left);
    band.setAttribute("width", right - left);
    band.setAttribute("visibility", "visible");
  });
  const finish = (event) => {
    band.setAttribute("visibility", "hidden");
    const end = at(event);
    if (start !== undefined && Math.abs(end - start) > (to - from) / 50) show(Math.min(start, end), Math.max(start, end));
    start = undefined;
  };
  svg.addEventListener("pointerup", finish);
  svg.addEventListener("pointerleave", () => { start = undefined; band.setAttribute("visibility", "hidden"); });
};
for (const svg of all('svg[data-zoom="x"]')) {
  const target = svg.querySelector("[data-zoom-target]");
  const folded = svg.closest("details:not([open])");
  if (target === null) continue;
  if (folded === null) zoomable(svg, target);
  else folded.addEventListener("toggle", () => zoomable(svg, target), { once: true });
}
`;

/** Buttons that copy, and failures that open for printing. */
const readingScript = String.raw`
const copied = async (text) => {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = make("textarea", text, "unseen");
    d.body.append(area);
    area.select();
    const done = d.execCommand("copy");
    area.remove();
    return done;
  }
};
for (const button of all("button[data-copy]")) {
  const label = button.textContent;
  button.hidden = false;
  button.addEventListener("click", async () => {
    button.textContent = (await copied(button.dataset.copy)) ? "Copied" : "Not copied: the browser refused";
    setTimeout(() => { button.textContent = label; }, 1500);
  });
}
let opened = [];
addEventListener("beforeprint", () => {
  opened = all(".card details:not([open]), details.about:not([open]), details.run:not([open]), main:not(:has(.run)) :is(details.fold, details.folded):not([open])");
  for (const one of opened) one.open = true;
});
addEventListener("afterprint", () => {
  for (const one of opened) one.open = false;
});
`;

/**
 * Address and keys. The fragment is the id of a rule or part and the filter: `#stream/two-fields`, `#q=s:failed`,
 * `#stream/two-fields&q=s:failed`. It is only compared with ids of the page. Findings, and rules that differ between runs, have `data-step`:
 * `j` and `k` step through those that the filter shows.
 */
const addressScript = String.raw`
const decoded = (text) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
let place = "";
const writeAddress = () => {
  const words = input.value.trim();
  const parts = [...(place === "" ? [] : [encodeURI(place)]), ...(words === "" ? [] : ["q=" + encodeURIComponent(words)])];
  try {
    history.replaceState(null, "", parts.length === 0 ? location.href.split("#")[0] : "#" + parts.join("&"));
  } catch {
    // A page in a frame may not change its address.
  }
};
const named = (name) =>
  name === "" ? null : (d.getElementById(name) ?? all("[id]").find(({ id }) => id.endsWith("/" + name)) ?? null);
const mark = (target) => {
  for (const one of all(".here")) one.classList.remove("here");
  target?.classList.add("here");
  place = target?.id ?? "";
};
const goTo = (target) => {
  for (let at = target; at !== null; at = at.parentElement) {
    if (at.tagName === "DETAILS") at.open = true;
    at.hidden = false;
  }
  for (const fold of all(":scope > :is(details.fold, details.folded)", target)) fold.open = true;
  mark(target);
  target.scrollIntoView();
};
const follow = () => {
  const parts = location.hash.slice(1).split("&");
  const query = parts.find((part) => part.startsWith("q="));
  const target = named(decoded(parts.find((part) => !part.startsWith("q=")) ?? ""));
  if (query !== undefined && rows.length > 0) {
    input.value = decoded(query.slice(2));
    filter();
  }
  if (target !== null) goTo(target);
  if (query === undefined && input.value !== "") writeAddress();
};
const walk = (by) => {
  const from = d.querySelector(".here");
  const wanted = by > 0 ? Node.DOCUMENT_POSITION_FOLLOWING : Node.DOCUMENT_POSITION_PRECEDING;
  const steps = all("[data-step]").filter((step) => step.closest("[hidden]") === null);
  const ahead = from === null ? steps : steps.filter((step) => (from.compareDocumentPosition(step) & wanted) !== 0);
  const next = by > 0 ? ahead[0] : ahead.at(-1);
  if (next === undefined) {
    found.textContent = steps.length === 0 ? "no findings to walk" : by > 0 ? "this is the last finding" : "this is the first finding";
    return;
  }
  goTo(next);
  next.tabIndex = -1;
  next.focus({ preventScroll: true });
  writeAddress();
};
const keysHelp = d.querySelector("details.keys");
const keyActs = {
  "/": () => {
    input.focus();
    input.select();
  },
  j: () => walk(1),
  k: () => walk(-1),
  "?": () => {
    keysHelp.open = !keysHelp.open;
    if (keysHelp.open) keysHelp.querySelector("summary").focus();
  },
  Escape: () => {
    if (input.value === "") mark(null);
    input.blur();
    ask("");
  },
  Enter: () => {
    input.blur();
    walk(1);
  },
};
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || rows.length === 0) return;
  const isTyping = event.target === input;
  const isWanted = isTyping ? ["Escape", "Enter"] : ["/", "j", "k", "?", "Escape"];
  if (!isWanted.includes(event.key)) return;
  event.preventDefault();
  keyActs[event.key]();
});
addEventListener("hashchange", follow);
if (location.hash !== "") follow();
`;

/** The filter: `s:` standing, `i:` interface, `b:` basis, other words are text. All words must match. */
const filterScript = String.raw`
const box = d.getElementById("filter");
const input = d.getElementById("q");
const found = d.getElementById("found");
const rows = all("[data-s]");
const texts = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));
const keys = { s: "s", i: "i", b: "b" };
const folds = all("details.fold");
const parts = all(".part, .side").filter((part) => part.closest("details.run") === null);
let unfolded = [];
const showFolds = (isFiltered) => {
  if (!isFiltered) for (const fold of unfolded.splice(0)) fold.open = false;
  else for (const fold of folds.filter(({ open }) => !open)) { fold.open = true; unfolded.push(fold); }
};
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
  for (const part of parts) part.hidden = words.length > 0 && all("[data-s]", part).every((row) => row.hidden);
  const counted = (selector) => all(selector).filter((row) => !row.hidden).length;
  showFolds(words.length > 0);
  found.textContent = words.length === 0 ? "" :
    counted(".card, .listed > li[data-s]") + " with findings, " + counted("tr[data-s]") + " of " + all("tr[data-s]").length + " rows of rules";
};
const ask = (text) => {
  input.value = text;
  filter();
  writeAddress();
};
if (rows.length > 0) {
  box.hidden = false;
  input.addEventListener("input", () => ask(input.value));
  for (const link of all("a[data-q]")) {
    link.addEventListener("click", () => ask(input.value === link.dataset.q ? "" : link.dataset.q));
  }
}
`;

/**
 * The script of a page: plain JavaScript that adds a filter, keys, links by name, copying, hover and zoom. The page is complete without it. It
 * writes text and attributes only, no markup, and makes no requests.
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
${addressScript.trim()}
${readingScript.trim()}
${figureScript.trim()}
})();`;
