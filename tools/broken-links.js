import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";

const attributes = /\b(?:href|src|srcset)="([^"]*)"/gu;

/** The target file of a link. */
function fileOf(page, target) {
  const path = target === "" ? page : resolve(page, "..", target);
  return existsSync(path) && statSync(path).isDirectory() ? join(path, "index.html") : path;
}

/** Returns the broken links of the pages in a folder, one line each: to a missing file or anchor, or to a different host. */
export function brokenLinks(folder) {
  const pages = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".html"));
  const ids = new Map();
  const idsOf = (file) => {
    const known =
      ids.get(file) ?? new Set([...readFileSync(file, "utf8").matchAll(/ id="([^"]*)"/gu)].map(([, id]) => id));
    ids.set(file, known);
    return known;
  };
  return pages.flatMap((path) => {
    const page = join(folder, path);
    return [...readFileSync(page, "utf8").matchAll(attributes)].flatMap(([, address]) => {
      // The empty icon, which keeps browsers from requesting one.
      if (address === "data:,") {
        return [];
      }
      const [target, anchor] = address.split("#");
      const file = /^[a-z]+:/u.test(address) ? undefined : fileOf(page, target);
      const isThere =
        file !== undefined &&
        existsSync(file) &&
        !relative(folder, file).startsWith("..") &&
        (anchor === undefined || idsOf(file).has(anchor));
      return isThere ? [] : [`${path}: ${address} leads nowhere`];
    });
  });
}
