import { HarnessError } from "@assay/contract";
import { existsSync, statSync } from "node:fs";
import { basename, dirname, extname, join, relative, resolve } from "node:path";
import type { CommandContext } from "../command-context.ts";
import { nearestFile } from "../nearest-file.ts";

/** A configuration file. */
export interface ConfigFile {
  /** Absolute. */
  readonly path: string;
  /** As it is told to people: relative to the working folder. */
  readonly shown: string;
}

const endings = [".ts", ".js", ".mjs", ".json"] as const;
const names: readonly string[] = endings.map((ending) => `assay.config${ending}`);

/** Whether something is a file, also at the end of a link. */
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
    throw new HarnessError("usage", `${name} is no configuration file; name one such as ${names[0]}`);
  }
  if (!endings.some((ending) => ending === extname(path))) {
    throw new HarnessError(
      "usage",
      `the configuration ${name} is no ${endings.join(", ")} file; write it as one of them`,
    );
  }
  return { path, shown: name };
}

/** The folder and those above it, up to the root of its repository; only the folder where there is none. */
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

/** Where a file of configuration is looked for. */
export interface ConfigSearch extends Pick<CommandContext, "cwd" | "env"> {
  /** From `--config`; before `ASSAY_CONFIG`. */
  readonly file?: string;
}

/**
 * The configuration file that was named, else `assay.config.ts`, `.js`, `.mjs` or `.json` in the working folder or one above it
 * in the same repository: running what lies further up would be running what somebody else wrote. Undefined where there is none.
 * Fails with a `HarnessError` for a file that is not there, and where one folder has two.
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
