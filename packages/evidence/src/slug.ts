import { createHash } from "node:crypto";

const maxSlugLength = 60;

/**
 * A name that is safe as a file name everywhere: lower-case ASCII letters, digits and `-`, at most 60 characters, then
 * `-` and eight characters of a digest of the whole name, so different names stay different (also on file systems that
 * ignore case) and reserved device names cannot result.
 */
export function slug(name: string): string {
  const readable = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, maxSlugLength)
    .replaceAll(/^-+|-+$/g, "");
  const digest = createHash("sha256").update(name, "utf8").digest("hex").slice(0, 8);
  return `${readable === "" ? "x" : readable}-${digest}`;
}
