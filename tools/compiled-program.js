import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

// In a clone, the sources of the command may change after it was compiled. A stamp records its sources, so that a
// missing or outdated program reports this instead of misbehaving.
const root = fileURLToPath(new URL("..", import.meta.url));
const programPath = join(root, "packages/cli/dist/bundle/main.js");
const stampFile = join(root, "packages/cli/dist/bundle/compiled-from.json");

/** Sources of the program, relative to the root. */
const sourcePaths = [
  ...readdirSync(join(root, "packages")).map((name) => `packages/${name}/src`),
  "packages/openapi/worker",
  "scenarios/src",
  "tools/bundle-command.js",
  "tools/tsconfig.base.json",
  "package-lock.json",
];

const isSource = (path) => /\.(?:ts|tsx|js|json)$/u.test(path) && !/(?:\.test\.tsx?$|\/testing\/)/u.test(path);

function listFiles(sourcePath) {
  const path = join(root, sourcePath);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || stats.isFile()) {
    return stats === undefined ? [] : [path];
  }
  // With file types, because otherwise Node requests the type of each entry.
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .map((entry) => `${entry.parentPath}/${entry.name}`)
    .filter((file) => isSource(file));
}

const listSources = () => sourcePaths.flatMap((sourcePath) => listFiles(sourcePath)).toSorted();

function digestFiles(files, addFile) {
  const hash = createHash("sha256");
  for (const file of files) {
    hash.update(`${file.slice(root.length)}\n`);
    addFile(hash, file);
  }
  return hash.digest("hex");
}

/** A fast check for changes. It also differs for a fresh checkout of the same sources. */
const digestTimes = (files) =>
  digestFiles(files, (hash, file) => {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${size} ${mtimeMs}\n`);
  });

const digestContents = (files) => digestFiles(files, (hash, file) => hash.update(readFileSync(file)));

/** Returns the current state of the sources. */
export function createSourceStamp() {
  const files = listSources();
  return { content: digestContents(files), touch: digestTimes(files) };
}

/** Records the sources of the compiled program. */
export const writeStamp = (stamp) => writeFileSync(stampFile, `${JSON.stringify(stamp)}\n`);

function readStamp() {
  try {
    return JSON.parse(readFileSync(stampFile, "utf8"));
  } catch {
    return {};
  }
}

/** Reports whether the program exists and was compiled from the current sources. */
export function isProgramCurrent() {
  if (statSync(programPath, { throwIfNoEntry: false }) === undefined) {
    return false;
  }
  const stamp = readStamp();
  const files = listSources();
  const touch = digestTimes(files);
  if (stamp.touch === touch) {
    return true;
  }
  const isUnchanged = stamp.content === digestContents(files);
  if (isUnchanged) {
    try {
      writeStamp({ ...stamp, touch });
    } catch {
      // Without write permission, the content is compared every time.
    }
  }
  return isUnchanged;
}

/** Returns the reason why the program cannot run, or `undefined` if it can. */
export function explainStaleProgram() {
  if (isProgramCurrent()) {
    return undefined;
  }
  const isCompiled = statSync(programPath, { throwIfNoEntry: false }) !== undefined;
  return `${isCompiled ? "the program is older than its sources" : "the program has not been compiled yet"}; run \`npm run build\` in ${root}`;
}
