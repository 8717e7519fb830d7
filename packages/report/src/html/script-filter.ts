/** The filter: `s:` standing, `i:` interface, `b:` basis, all else text; everything that is asked for has to be met. */
export const filterScript = String.raw`
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
