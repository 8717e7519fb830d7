import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * `npm run lint:words`: rejects words that this project does not use in identifiers, comments, messages and guides, and suggests a
 * replacement. To allow a word on one line, end the line with `words: ` and a reason.
 */
const root = fileURLToPath(new URL("..", import.meta.url));

/** Patterns that match lower-case words separated by single spaces, each with a replacement. */
const words = {
  "so many": "at most N, each",
  "(is|are|was|be|been|not) told": "is reported, is shown",
  "told (of|by|as|apart|in)": "reported, shown, distinguished",
  "tells? (of|whether|apart|how|what|when|which)": "reports, shows, describes",
  "stands? otherwise": "changed",
  "put up with": "accepted",
  "in the place of": "instead of",
  yardstick: "baseline",
  "seats?": "subscriber",
  befell: "happened to",
  "c(ame|omes?) to( be)? (be |nothing|something|a |an |the |no |so |two )": "is, results in, ends with",
  "what .{0,40} (came|comes) to": "the result of",
  speaks: "fails, reports",
  "silent (rule|of|on)": "passed, not tested",
  "(rules?|checks?) (is|are|stays?) silent": "does not fail",
  anew: "again, from scratch",
  shall: "must, should",
  whoever: "a reader who, a client that",
  "nobody can": "cannot",
  "opportunit(y|ies)": "observation",
  "obstacles?": "what blocks",
  "once more": "again",
  "put together": "built",
  "(?<!there )(is|are) no (array|har|json|list|number|object|string|text|url|yaml)": "is not an object",
  "wins over": "takes precedence over",
  "the system answered": "failed with",
  "an?other than": "different from",
  mended: "fixed",
  "look at (lists|as \\w+|until)": "probe, read",
};

const patterns = Object.entries(words).map(([pattern, instead]) => ({
  pattern: new RegExp(`(?<![a-z])(?:${pattern})(?![a-z])`, "u"),
  instead,
}));

const exception = /\bwords: \S/u;

/** A sentence of a comment or a guide that begins with a clause used as a noun. */
const clauseFirst =
  /^\s*(?:\/\*\*|\*|\/\/|-|\|)\s*(?<clause>(?:What|Whatever|Who) (?:is|was|are|were|has|comes|came) )/u;

/** Published ids, exempt from the check. */
const publishedIds = /\b(?:stream|legacy|current|migration|user|search|request|process|http)\/[a-z0-9-]+/gu;

/** Lower-cases a line and splits identifiers into words. */
const splitWords = (line) =>
  line
    .replaceAll(publishedIds, "")
    .replaceAll(/([a-z0-9])([A-Z])/gu, "$1 $2")
    .replaceAll(/[-_/\s*]+/gu, " ")
    .toLowerCase();

/** Finds the lines with a rejected word: line number from 1, the word, and the replacement. */
export const listBadWords = (text) =>
  text.split("\n").flatMap((line, index) => {
    if (exception.test(line)) {
      return [];
    }
    const plainLine = splitWords(line);
    const { clause } = clauseFirst.exec(line)?.groups ?? {};
    if (clause !== undefined) {
      return [{ line: index + 1, word: clause.trim(), instead: "begin with a subject or a verb" }];
    }
    return patterns.flatMap(({ pattern, instead }) => {
      const [word] = pattern.exec(plainLine) ?? [];
      return word === undefined ? [] : [{ line: index + 1, word, instead }];
    });
  });

const isChecked = (path) =>
  /\.(ts|tsx|js|mjs|go|md|sh|py|ya?ml)$/u.test(path) &&
  !/(^|\/)(fixtures|dist|goldens)\/|CHANGELOG|word-list|package-readme|golden-words|package-lock/u.test(path);

/** Hand-written files. `reports/` is generated. */
export const checkedPaths = ["packages", "scenarios", "site", "tools", "README.md", ".github"];

/** Finds rejected words in all tracked files under `paths`. */
export function findBadWords(paths) {
  const { stdout } = spawnSync("git", ["ls-files", ...paths], { cwd: root, encoding: "utf8" });
  return stdout
    .split("\n")
    .filter((path) => isChecked(path))
    .flatMap((path) => listBadWords(readFileSync(join(root, path), "utf8")).map((badWord) => ({ path, ...badWord })));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const badLines = findBadWords(process.argv.length > 2 ? process.argv.slice(2) : [...checkedPaths, "reports"]);
  for (const { path, line, word, instead } of badLines) {
    process.stdout.write(`${path}:${line}: "${word}"; write: ${instead}\n`);
  }
  process.exitCode = badLines.length === 0 ? 0 : 1;
}
