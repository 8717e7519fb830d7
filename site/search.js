// The search of the site. Pagefind reads an index stored next to the pages.
const form = document.querySelector("form[role=search]");
const input = form.querySelector("input");
const found = form.querySelector("ol");
const base = new URL(form.dataset.root, location.href);
const shown = 8;
let pagefind;

async function search() {
  const text = input.value.trim();
  if (text === "") {
    found.hidden = true;
    return;
  }
  pagefind ??= await import(new URL("pagefind/pagefind.js", base).href);
  const answer = await pagefind.debouncedSearch(text);
  if (answer === null) {
    return;
  }
  const results = await Promise.all(answer.results.slice(0, shown).map((result) => result.data()));
  const items = results.map(({ url, meta, excerpt }) => {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = new URL(url.replace(/^\//u, ""), base).href;
    link.textContent = meta.title;
    const words = document.createElement("p");
    words.innerHTML = excerpt;
    item.append(link, words);
    return item;
  });
  if (items.length === 0) {
    const item = document.createElement("li");
    item.textContent = "Nothing found.";
    items.push(item);
  }
  found.replaceChildren(...items);
  found.hidden = false;
}

input.addEventListener("input", () => void search());
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    found.hidden = true;
  }
});
// Closes the navigation on narrow screens, so that the text is visible first.
if (matchMedia("(max-width: 800px)").matches) {
  document.querySelector("nav details").open = false;
}
