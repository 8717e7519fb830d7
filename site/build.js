// `npm run docs`: builds the guides and a page for each rule in site/dist, with a search that needs no server program, and checks
// that every link and anchor has a target. Links are relative, so that the site works under any path.
import { cpSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { Eleventy } from "@11ty/eleventy";
import * as pagefind from "pagefind";
import { ruleCatalogue } from "../packages/contract/dist/index.js";
import { renderRuleMarkdown } from "../packages/report/dist/index.js";
import { describeRulePage } from "../packages/cli/dist/explain/describe-rule-page.js";
import { findBrokenLinks } from "../tools/broken-links.js";
import { layout } from "./layout.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const output = fileURLToPath(new URL("dist", import.meta.url));
const docs = "packages/cli/docs";
const readText = (path) => readFileSync(join(root, path), "utf8");

/** The anchor that GitHub generates for a heading. */
const anchorOf = (heading) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

const ruleUrl = (id) => `/rules/${id}/`;
const ruleAnchors = new Map(ruleCatalogue.map(({ id }) => [anchorOf(id), ruleUrl(id)]));

const titleOf = (markdown) => (/^# (.+)$/mu.exec(markdown)?.[1] ?? "").replaceAll("`", "");

const areas = {
  stream: "Streaming search",
  legacy: "Conversations, legacy interface",
  current: "Conversations, current interface",
  migration: "Both interfaces of a conversation",
};

/** The page that lists all rules. The page in the repository contains them all in one file. */
const ruleList = () => {
  const chapters = Object.entries(areas).flatMap(([name, title]) => [
    `## ${title}`,
    "",
    ...ruleCatalogue
      .filter((rule) => rule.interface === name)
      .map((rule) => `- [\`${rule.id}\`](${rule.id}/): ${rule.title}. _${rule.basis}_`),
    "",
  ]);
  const [, head = ""] = /^# The rules\n\n([\s\S]*?)\n\nThe pages /u.exec(readText(`${docs}/rules.md`)) ?? [];
  return ["# The rules", "", head, "", ...chapters].join("\n");
};

/** Pages by address: the Markdown, and the file of the repository that its links are relative to. */
const pages = new Map([
  ["/", { source: "README.md", text: readText("README.md") }],
  ...readdirSync(join(root, docs))
    .filter((name) => name.endsWith(".md"))
    .map((name) => {
      const source = `${docs}/${name}`;
      return [
        `/${name.slice(0, -".md".length)}/`,
        { source, text: name === "rules.md" ? ruleList() : readText(source) },
      ];
    }),
  ...ruleCatalogue.map(({ id }) => [ruleUrl(id), { text: renderRuleMarkdown(describeRulePage(id)) }]),
]);
const urls = new Map([...pages].flatMap(([url, { source }]) => (source === undefined ? [] : [[source, url]])));

/** The files that pages show or link to, by path in the repository. */
const files = [
  ...readdirSync(join(root, docs))
    .filter((name) => name.endsWith(".png"))
    .map((name) => `${docs}/${name}`),
  ...readdirSync(join(root, docs, "ci")).map((name) => `${docs}/ci/${name}`),
];
const fileUrl = (path) => `/files/${relative(docs, path)}`;

/** The guides in the groups of the table in the README, followed by the other guides. */
function navigation() {
  const groups = listedGuides();
  const listed = new Set(groups.flatMap(({ links }) => links.map(({ url }) => url)));
  const others = [...urls.values()].filter((url) => url !== "/" && !listed.has(url));
  return [...groups, { title: "More", links: others.map((url) => ({ words: titleOf(pages.get(url).text), url })) }];
}

const listedGuides = () =>
  [...readText("README.md").matchAll(/^\| ([^|]+) \| (\[.+\)) \|$/gmu)].map(([, title, links]) => ({
    title: `${title[0].toUpperCase()}${title.slice(1)}`,
    links: [...links.matchAll(/\[([^\]]+)\]\(([^)]+)\)/gu)].flatMap(([, words, path]) =>
      urls.has(path) ? [{ words, url: urls.get(path) }] : [],
    ),
  }));

/** The relative path from one page to another, which works under any base path. */
const relativePath = (from, to) => {
  const path = relative(from, to);
  return to.endsWith("/") ? `${path === "" ? "." : path}/` : path;
};

/** Maps a relative link in a file of the repository to its target on the site, or undefined if the site does not contain it. */
function findLinkTarget(source, target, anchor) {
  const path = target === "" ? source : join(dirname(source), target);
  const ruleAnchor = path === `${docs}/rules.md` ? ruleAnchors.get(anchor) : undefined;
  if (ruleAnchor !== undefined) {
    return ruleAnchor;
  }
  const url = urls.get(path) ?? (files.includes(path) ? fileUrl(path) : undefined);
  return url === undefined ? undefined : { url, anchor };
}

const isExternal = (address) => /^[a-z]+:/u.test(address);

/** Replaces links into the repository with links to the site. Replaces links without a target on the site with text. */
function withLinksOfSite(html, { url, source }) {
  const resolved = (address) => {
    const [target, anchor = ""] = address.split("#");
    const linkTarget = findLinkTarget(source, target, anchor);
    if (typeof linkTarget === "string") {
      return relativePath(url, linkTarget);
    }
    return (
      linkTarget &&
      `${target === "" ? "" : relativePath(url, linkTarget.url)}${linkTarget.anchor === "" ? "" : `#${linkTarget.anchor}`}`
    );
  };
  return html
    .replaceAll(/<a href="([^"]*)">([\s\S]*?)<\/a>/gu, (whole, address, words) => {
      // The list of rules is generated here with links of the site.
      const isOwnList = url === "/rules/" && !address.includes(".md") && !address.startsWith("#");
      if (isExternal(address) || isOwnList) {
        return whole;
      }
      const linkTarget = resolved(address);
      return linkTarget === undefined ? words : `<a href="${linkTarget}">${words}</a>`;
    })
    .replaceAll(/ (src|srcset)="([^"]+)"/gu, (whole, name, address) => {
      const linkTarget = isExternal(address) ? undefined : resolved(address);
      return linkTarget === undefined ? whole : ` ${name}="${linkTarget}"`;
    });
}

/** Links citations such as `search-stream §6` to the requirements of that section. */
const withCitations = (html) =>
  html.replaceAll(
    /<code>(search-stream|conversation-api) §([\d.]+)<\/code>/gu,
    (whole, name, section) => `<a href="../../../requirements-${name}/#section-${section}">${whole}</a>`,
  );

rmSync(output, { recursive: true, force: true });
const groups = navigation();
const eleventy = new Eleventy(fileURLToPath(new URL("input", import.meta.url)), output, {
  quietMode: true,
  config(settings) {
    settings.setUseGitIgnore(false);
    settings.amendLibrary("md", (markdown) => {
      markdown.set({ html: true, linkify: false });
      markdown.renderer.rules.heading_open = (...given) => {
        const [tokens, index, options, , self] = given;
        const { children } = tokens[index + 1];
        tokens[index].attrSet("id", anchorOf(children.map(({ content }) => content).join("")));
        return self.renderToken(tokens, index, options);
      };
      // Wide tables and lines scroll separately and are focusable with the keyboard.
      markdown.renderer.rules.table_open = () => '<div class="wide" tabindex="0"><table>\n';
      markdown.renderer.rules.table_close = () => "</table></div>\n";
      const fence = markdown.renderer.rules.fence;
      markdown.renderer.rules.fence = (...given) => fence(...given).replace("<pre>", '<pre tabindex="0">');
    });
    let count = 0;
    for (const [url, { text, source }] of pages) {
      count += 1;
      settings.addTemplate(`page-${count}.md`, text, {
        permalink: `${url}index.html`.slice(1),
        templateEngineOverride: "md",
        pageUrl: url,
        pageSource: source,
      });
    }
    settings.addTransform("page", function page(content) {
      const url = this.page.url;
      const { text, source } = pages.get(url);
      return layout({
        title: titleOf(text),
        body: source === undefined ? withCitations(content) : withLinksOfSite(content, { url, source }),
        way: (to) => relativePath(url, to),
        groups,
        url,
      });
    });
  },
});
await eleventy.write();
for (const path of files) {
  cpSync(join(root, path), join(output, fileUrl(path)));
}
for (const name of ["style.css", "search.js"]) {
  cpSync(fileURLToPath(new URL(name, import.meta.url)), join(output, name));
}
const { index } = await pagefind.createIndex({ forceLanguage: "en" });
const added = await index.addDirectory({ path: output });
const written = await index.writeFiles({ outputPath: join(output, "pagefind") });
await pagefind.close();

const wrong = [
  ...findBrokenLinks(output),
  ...added.errors,
  ...written.errors,
  ...(added.page_count === pages.size ? [] : [`${added.page_count} of ${pages.size} pages can be searched`]),
];
if (wrong.length > 0) {
  process.stderr.write(`${wrong.join("\n")}\n`);
  process.exit(1);
}
process.stdout.write(
  `${pages.size} pages, ${ruleCatalogue.length} of them of rules, in site/dist. To read them: python3 -m http.server -d site/dist\n`,
);
