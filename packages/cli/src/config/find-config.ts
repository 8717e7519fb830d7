import { HarnessError } from "@assay/contract";
import { existsSync, statSync } from "node:fs";
import { basename, dirname, extname, join, relative, resolve } from "node:path";
import type { CommandContext } from "../command-context.ts";
import { nearestFile } from "../nearest-file.ts";

/** A configuration file. */
export interface ConfigFile {
  /** Absolute. */
  readonly path: string;
  /** For messages: relative to the working folder. */
  readonly shown: string;
}

const endings = [".ts", ".js", ".mjs", ".json"] as const;
const names: readonly string[] = endings.map((ending) => `assay.config${ending}`);

/** Whether a path is a file, after links are resolved. */
const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

function namedFile(name: string, cwd: string): ConfigFile {
  const path = resolve(cwd, name);
  if (!existsSync(path)) {
    throw new HarnessError(
      "usage",
      `there is no configuration file ${name}; ${nearestFile(name, cwd) ?? "check its path"}`,
    );
  }
  if (!isFile(path)) {
    throw new HarnessError("usage", `${name} is not a configuration file; name one such as ${names[0]}`);
  }
  if (!endings.some((ending) => ending === extname(path))) {
    throw new HarnessError(
      "usage",
      `the configuration ${name} is not a ${endings.join(", ")} file; use one of these formats`,
    );
  }
  return { path, shown: name };
}

/** The folder and its parents up to the root of its repository; only the folder if it is in no repository. */
function foldersUpFrom(cwd: string): readonly string[] {
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
  /** From `--config`; wins over `ASSAY_CONFIG`. */
  readonly file?: string;
}

/**
 * The named configuration file, else `assay.config.ts`, `.js`, `.mjs` or `.json` in the working folder or a parent in the same
 * repository. Files above the repository are not run, since another user may have written them. Undefined if there is none. Fails with a
 * `HarnessError` for a missing file, and if one folder has two.
 */
export function findConfig({ cwd, env, file = env["ASSAY_CONFIG"] }: ConfigSearch): ConfigFile | undefined {
  if (file !== undefined && file !== "") {
    return namedFile(file, cwd);
  }
  const found = foldersUpFrom(cwd)
    .map((folder) => names.map((name) => join(folder, name)).filter((path) => isFile(path)))
    .find((paths) => paths.length > 0);
  const [path, second] = found ?? [];
  if (path === undefined) {
    return undefined;
  }
  if (second !== undefined) {
    const both = `${relative(cwd, path)} and ${basename(second)}`;
    throw new HarnessError("usage", `there are two configuration files, ${both}; keep one, or name it by --config`);
  }
  return { path, shown: relative(cwd, path) };
}
