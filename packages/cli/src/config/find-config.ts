import { HarnessError } from "@assay/contract";
import { existsSync, statSync } from "node:fs";
import { basename, dirname, extname, join, relative, resolve } from "node:path";
import type { CommandContext } from "../command-context.ts";
import { suggestNearestFile } from "../nearest-file.ts";

/** A configuration file. */
export interface ConfigFile {
  /** Absolute. */
  readonly path: string;
  /** Path for messages, relative to the working folder. */
  readonly shown: string;
}

const endings = [".ts", ".js", ".mjs", ".json"] as const;
const names: readonly string[] = endings.map((ending) => `assay.config${ending}`);

/** Reports whether a path is a file, after resolving links. */
const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

function findNamedFile(name: string, cwd: string): ConfigFile {
  /** Absolute path. */
  const path = resolve(cwd, name);
  if (!existsSync(path)) {
    throw new HarnessError(
      "usage",
      `there is no configuration file ${name}; ${suggestNearestFile(name, cwd) ?? "check its path"}`,
    );
  }
  if (!isFile(path)) {
    throw new HarnessError("usage", `${name} is not a configuration file; pass a file such as ${names[0]}`);
  }
  if (!endings.some((ending) => ending === extname(path))) {
    throw new HarnessError(
      "usage",
      `the configuration ${name} is not a ${endings.join(", ")} file; use one of these formats`,
    );
  }
  return { path, shown: name };
}

/** The folder and its parents up to the root of its repository, or only the folder if it is not in a repository. */
function listParentFolders(cwd: string): readonly string[] {
  const up: string[] = [];
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    up.push(folder);
    if (existsSync(join(folder, ".git"))) {
      return up;
    }
    if (dirname(folder) === folder) {
      return [resolve(cwd)];
    }
  }
}

/** Where to search for a configuration file. */
export interface ConfigSearch extends Pick<CommandContext, "cwd" | "env"> {
  /** From `--config`. Overrides `ASSAY_CONFIG`. */
  readonly file?: string;
}

/**
 * Returns the named configuration file, otherwise `assay.config.ts`, `.js`, `.mjs` or `.json` in the working folder or a parent in the same
 * repository. Ignores files above the repository, because another user may have written them and a configuration is a program. Undefined if
 * there is no file. Throws a `HarnessError` if the named file is missing, or if a folder contains two.
 */
export function findConfig({ cwd, env, file = env["ASSAY_CONFIG"] }: ConfigSearch): ConfigFile | undefined {
  if (file !== undefined && file !== "") {
    return findNamedFile(file, cwd);
  }
  const paths = listParentFolders(cwd)
    .map((folder) => names.map((name) => join(folder, name)).filter((path) => isFile(path)))
    .find((paths) => paths.length > 0);
  const [path, second] = paths ?? [];
  if (path === undefined) {
    return undefined;
  }
  if (second !== undefined) {
    const conflictingNames = `${relative(cwd, path)} and ${basename(second)}`;
    throw new HarnessError(
      "usage",
      `there are two configuration files, ${conflictingNames}; keep one, or select one with --config`,
    );
  }
  return { path, shown: relative(cwd, path) };
}
