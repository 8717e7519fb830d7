const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

/** A page of the site: its header with the search, the list of guides, and the text. */
export const layout = ({ title, body, way, groups, url }) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(url === "/" ? title : `${title} · Assay`)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${way("/style.css")}">
<script type="module" src="${way("/search.js")}"></script>
</head>
<body>
<header>
<a class="name" href="${way("/")}">Assay</a>
<form role="search" data-root="${way("/")}">
<label for="search">Search</label>
<input id="search" type="search" autocomplete="off">
<ol id="found" aria-live="polite" hidden></ol>
</form>
</header>
<div class="columns">
<nav aria-label="Guides">
<details open>
<summary>Guides</summary>
${groups
  .map(
    (group) => `<h2>${escaped(group.title)}</h2>
<ul>
${group.links
  .map(
    (link) =>
      `<li><a href="${way(link.url)}"${link.url === url ? ' aria-current="page"' : ""}>${escaped(link.words)}</a></li>`,
  )
  .join("\n")}
</ul>`,
  )
  .join("\n")}
</details>
</nav>
<main data-pagefind-body>
${body}
</main>
</div>
</body>
</html>
`;
