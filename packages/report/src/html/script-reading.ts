/** Copying of commands, links into what is folded away, and failures that are open on paper. */
export const readingScript = String.raw`
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
