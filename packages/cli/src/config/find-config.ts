import { HarnessError } from "@assay/contract";
import { existsSync, statSync } from "node:fs";
import { basename, dirname, extname, join, relative, resolve } from "node:path";
import type { CommandContext } from "../command-context.ts";
import { suggestNearestFile } from "../nearest-file.ts";

export interface ConfigFile {
  /** Absolute path of the file. */
  readonly path: string;
  /** Path for messages, relative to the working folder. */
  readonly displayPath: string;
}

const extensions = [".ts", ".js", ".mjs", ".json"] as const;
const configFileNames: readonly string[] = extensions.map((extension) => `assay.config${extension}`);

/** Reports whether a path is a file, after resolving links. */
const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

function findNamedFile(name: string, cwd: string): ConfigFile {
  const path = resolve(cwd, name);
  if (!existsSync(path)) {
    throw new HarnessError(
      "usage",
      `configuration file ${name} not found; ${suggestNearestFile(name, cwd) ?? "check its path"}`,
    );
  }
  if (!isFile(path)) {
    throw new HarnessError("usage", `${name} is not a regular file; pass a file such as ${configFileNames[0]}`);
  }
  if (!extensions.some((extension) => extension === extname(path))) {
    throw new HarnessError(
      "usage",
      `${name} must be a ${extensions.slice(0, -1).join(", ")} or ${extensions.at(-1)} file`,
    );
  }
  return { path, displayPath: name };
}

/** Lists `cwd` and its parents up to the repository root. Outside a repository, lists only `cwd`. */
function listSearchFolders(cwd: string): readonly string[] {
  const folders: string[] = [];
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    folders.push(folder);
    if (existsSync(join(folder, ".git"))) {
      return folders;
    }
    if (dirname(folder) === folder) {
      return [resolve(cwd)];
    }
  }
}

export interface ConfigSearch extends Pick<CommandContext, "cwd" | "env"> {
  /** From `--config`. Overrides `ASSAY_CONFIG`. An empty text counts as unset. */
  readonly file?: string;
}

/**
 * Returns the named configuration file. Without a name, finds `assay.config.ts`, `.js`, `.mjs` or `.json` in the
 * working folder or a parent in the same repository. Ignores files above the repository, because another user may
 * have written them and a configuration is a program. Returns undefined if there is no file. Throws a `HarnessError`
 * if the named file is missing, or if one folder contains more than one.
 */
export function findConfig({ cwd, env, file = env["ASSAY_CONFIG"] }: ConfigSearch): ConfigFile | undefined {
  if (file !== undefined && file !== "") {
    return findNamedFile(file, cwd);
  }
  const paths = listSearchFolders(cwd)
    .map((folder) => configFileNames.map((name) => join(folder, name)).filter((path) => isFile(path)))
    .find((candidates) => candidates.length > 0);
  const [path, secondPath] = paths ?? [];
  if (path === undefined) {
    return undefined;
  }
  if (secondPath !== undefined) {
    const conflictingNames = `${relative(cwd, path)} and ${basename(secondPath)}`;
    throw new HarnessError(
      "usage",
      `there are two configuration files, ${conflictingNames}; keep one, or select one with --config`,
    );
  }
  return { path, displayPath: relative(cwd, path) };
}
