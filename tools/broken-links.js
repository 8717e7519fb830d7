import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";

const attributes = /\b(?:href|src|srcset)="([^"]*)"/gu;

/** Returns the file that a link leads to. */
function resolveTargetFile(page, target) {
  const path = target === "" ? page : resolve(page, "..", target);
  return existsSync(path) && statSync(path).isDirectory() ? join(path, "index.html") : path;
}

/** Returns the broken links of the pages in a folder, one line each: to a missing file or anchor, or to a different host. */
export function findBrokenLinks(folder) {
  const pages = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".html"));
  const ids = new Map();
  const readIds = (file) => {
    const pageIds =
      ids.get(file) ?? new Set([...readFileSync(file, "utf8").matchAll(/ id="([^"]*)"/gu)].map(([, id]) => id));
    ids.set(file, pageIds);
    return pageIds;
  };
  return pages.flatMap((path) => {
    const page = join(folder, path);
    return [...readFileSync(page, "utf8").matchAll(attributes)].flatMap(([, url]) => {
      // The empty icon, which keeps browsers from requesting one.
      if (url === "data:,") {
        return [];
      }
      const [target, anchor] = url.split("#");
      const file = /^[a-z]+:/u.test(url) ? undefined : resolveTargetFile(page, target);
      const isValid =
        file !== undefined &&
        existsSync(file) &&
        !relative(folder, file).startsWith("..") &&
        (anchor === undefined || readIds(file).has(anchor));
      return isValid ? [] : [`${path}: ${url} leads nowhere`];
    });
  });
}
