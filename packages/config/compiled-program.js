import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

// In a clone the command is compiled from sources that somebody may have changed since. What it was compiled from is kept beside
// it, so that a program that is missing or older than its sources says so instead of working in a way nobody can read.
const root = fileURLToPath(new URL("../..", import.meta.url));
const program = join(root, "packages/cli/dist/bundle/main.js");
const stampFile = join(root, "packages/cli/dist/bundle/compiled-from.json");

/** Folders and files that the program is made of, below the root. */
const parts = [
  ...readdirSync(join(root, "packages"))
    .filter((name) => name !== "config")
    .map((name) => `packages/${name}/src`),
  "packages/openapi/worker",
  "scenarios/src",
  "packages/config/bundle-command.js",
  "packages/config/tsconfig.base.json",
  "package-lock.json",
];

const isSource = (path) => /\.(?:ts|tsx|js|json)$/u.test(path) && !/(?:\.test\.tsx?$|\/testing\/)/u.test(path);

function filesOf(part) {
  const path = join(root, part);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isFile()) {
    return found === undefined ? [] : [path];
  }
  // With their types: Node would ask for that of each entry by itself.
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => isSource(file));
}

const sources = () => parts.flatMap((part) => filesOf(part)).toSorted();

function digestOf(files, add) {
  const hash = createHash("sha256");
  for (const file of files) {
    hash.update(`${file.slice(root.length)}\n`);
    add(hash, file);
  }
  return hash.digest("hex");
}

/** Tells in a moment whether anything was touched; a fresh checkout of the same sources differs. */
const touchOf = (files) =>
  digestOf(files, (hash, file) => {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${size} ${mtimeMs}\n`);
  });

const contentOf = (files) => digestOf(files, (hash, file) => hash.update(readFileSync(file)));

/** What the program would be compiled from now. */
export function sourceStamp() {
  const files = sources();
  return { content: contentOf(files), touch: touchOf(files) };
}

/** Keeps beside the program what it was compiled from. */
export const writeStamp = (stamp) => writeFileSync(stampFile, `${JSON.stringify(stamp)}\n`);

function readStamp() {
  try {
    return JSON.parse(readFileSync(stampFile, "utf8"));
  } catch {
    return {};
  }
}

/** Whether the program is there and compiled from the sources as they are. */
export function isProgramCurrent() {
  if (statSync(program, { throwIfNoEntry: false }) === undefined) {
    return false;
  }
  const stamp = readStamp();
  const files = sources();
  const touch = touchOf(files);
  if (stamp.touch === touch) {
    return true;
  }
  const isSame = stamp.content === contentOf(files);
  if (isSame) {
    try {
      writeStamp({ ...stamp, touch });
    } catch {
      // Who may not write here looks at the content each time.
    }
  }
  return isSame;
}

/** What keeps the program from being run, as one sentence; `undefined` where nothing does. */
export function whyNotCurrent() {
  if (isProgramCurrent()) {
    return undefined;
  }
  const isThere = statSync(program, { throwIfNoEntry: false }) !== undefined;
  return `${isThere ? "the program is older than its sources" : "the program was not compiled yet"}; run \`npm run build\` in ${root}`;
}
