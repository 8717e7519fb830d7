import { dirname, join } from "node:path";

/**
 * A page as it is read in the package: without pictures. A link to a file that is not in the package leads to the repository, and
 * is plain text as long as the repository has no address.
 */
export function pageForPackage(text, { path, isPacked, repository }) {
  return text
    .replaceAll(/<picture>[\s\S]*?<\/picture>\n\n?/gu, "")
    .replaceAll(/\[(?<words>[^\]]+)\]\((?!https?:|#)(?<target>[^)#\s]+)(?<anchor>#[^)]*)?\)/gu, (...match) => {
      const { words, target, anchor = "" } = match.at(-1);
      const file = join(dirname(path), target);
      if (isPacked(file)) {
        return match[0];
      }
      return repository === undefined ? words : `[${words}](${repository}/blob/main/${file}${anchor})`;
    });
}

/** What the README of the package takes from that of the repository, by the place for it. */
const parts = {
  "<!-- the example of the README -->": /^```ts\n[\s\S]*?^```$/mu,
  "<!-- the exit codes of the README -->": /^## Exit codes\n[\s\S]*?(?=\n\n## )/mu,
};

/** The README of the package: it is for a project in which Assay is installed, that of the repository for a clone. */
export function packageReadme(template, readme) {
  let text = template;
  for (const [place, pattern] of Object.entries(parts)) {
    const [part] = pattern.exec(readme) ?? [];
    if (part === undefined || !text.includes(place)) {
      throw new Error(`nothing to put in place of ${place}`);
    }
    text = text.replace(place, () => part);
  }
  return text;
}

/** Lines of the first block of `sh` in a page, each with the exit code that its comment names. */
export const firstCommands = (text) =>
  (/^```sh\n([\s\S]*?)^```$/mu.exec(text)?.[1] ?? "")
    .trim()
    .split("\n")
    .map((line) => ({
      command: line.split(" #")[0].trim(),
      exitCode: Number(/exit code (\d+)/u.exec(line)?.[1] ?? 0),
    }));
