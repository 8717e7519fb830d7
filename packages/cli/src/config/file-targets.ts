import { HarnessError } from "@assay/contract";
import { parseBaseUrl } from "@assay/client";
import { nearestName } from "@assay/runner";
import { textFlag } from "../flag.ts";
import type { TargetConfig } from "./assay-config.ts";
import type { ConfigFile } from "./find-config.ts";

/** The targets of a configuration file, and the chosen target. */
export interface FileTargets {
  readonly file: ConfigFile;
  readonly targets: Readonly<Record<string, TargetConfig>>;
  /**
   * Name of the target that `--target` selects. Without `--target`, the default target, unless another setting
   * selects a URL.
   */
  readonly chosenName?: string;
}

/** Placeholder URLs that `assay init` writes for the targets staging and production. The user replaces them. */
export const placeholderUrls: readonly string[] = ["https://staging.example.com", "https://search.example.com"];

/** Options of a command with the flag `--target`. */
export interface TargetOptions {
  readonly target?: string;
  /** Not a flag: set after the configuration file has been read. */
  readonly fileTargets?: FileTargets;
}

/** `--target`, for each command that sends requests to an instance. */
export const targetFlag = textFlag("<NAME>", "target in the configuration file");

export interface NamedTarget {
  readonly name: string;
  readonly target: TargetConfig;
}

/** Normalizes a URL for comparisons. Returns undefined if it is invalid. */
export function normalizeUrl(url: string): string | undefined {
  try {
    return parseBaseUrl(url).href.replace(/\/+$/u, "");
  } catch {
    return undefined;
  }
}

/**
 * Finds the target with the given URL. Prefers the chosen target. Returns undefined if there is none. Throws a
 * `HarnessError` if several match and none of them is chosen, because each may have its own token.
 */
export function findTargetByUrl(url: string, fileTargets: FileTargets | undefined): NamedTarget | undefined {
  const sameUrlTargets = Object.entries(fileTargets?.targets ?? {})
    .filter(([, target]) => normalizeUrl(target.url) === normalizeUrl(url))
    .map(([name, target]) => ({ name, target }));
  const chosenTarget = sameUrlTargets.find(({ name }) => name === fileTargets?.chosenName);
  if (chosenTarget === undefined && sameUrlTargets.length > 1) {
    const names = sameUrlTargets.map(({ name }) => name).join(", ");
    throw new HarnessError("usage", `several targets have the URL ${url}: ${names}; choose one of them with --target`);
  }
  return chosenTarget ?? sameUrlTargets[0];
}

/** Formats the error for an unknown target, with a suggestion. */
export function describeUnknownTarget(name: string, targets: FileTargets["targets"]): string {
  const names = Object.keys(targets);
  const suggestion = nearestName(name, names);
  const knownTargets = names.length === 0 ? "there are no targets" : `targets are ${names.join(", ")}`;
  return `unknown target "${name}"; ${suggestion === undefined ? knownTargets : `did you mean \`${suggestion}\`?`}`;
}
