import { dirname, join } from "node:path";

/**
 * Converts a page for the package, without pictures. Links to files outside the package point to the repository, or become text if the
 * repository has no address.
 */
export function convertPageForPackage(text, { path, isPacked, repository }) {
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

/** Parts of the repository's README that the README of the package includes, by placeholder. */
const parts = {
  "<!-- the example of the README -->": /^```ts\n[\s\S]*?^```$/mu,
  "<!-- the exit codes of the README -->": /^## Exit codes\n[\s\S]*?(?=\n\n## )/mu,
};

/** Returns the README of the package. It is for projects that install Assay. The README of the repository is for a clone. */
export function createPackageReadme(template, readme) {
  let text = template;
  for (const [placeholder, pattern] of Object.entries(parts)) {
    const [part] = pattern.exec(readme) ?? [];
    if (part === undefined || !text.includes(placeholder)) {
      throw new Error(`nothing to replace ${placeholder} with`);
    }
    text = text.replace(placeholder, () => part);
  }
  return text;
}

/** Returns the commands of the first `sh` block of a page, each with the exit code in its comment. */
export const parseFirstCommands = (text) =>
  (/^```sh\n([\s\S]*?)^```$/mu.exec(text)?.[1] ?? "")
    .trim()
    .split("\n")
    .map((line) => ({
      command: line.split(" #")[0].trim(),
      exitCode: Number(/exit code (\d+)/u.exec(line)?.[1] ?? 0),
    }));
