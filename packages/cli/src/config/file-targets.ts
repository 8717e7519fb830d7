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
  /** Name of the target that `--target` selects, or of the default target if no other setting selects a URL. */
  readonly chosenName?: string;
}

/** Placeholder URLs of the targets staging and production in a new configuration. The user replaces them. */
export const placeholderUrls: readonly string[] = ["https://staging.example.com", "https://search.example.com"];

/** Options of a command with the flag `--target`. */
export interface TargetOptions {
  readonly target?: string;
  /** Not a flag: set after the configuration file has been read. */
  readonly fileTargets?: FileTargets;
}

/** `--target`, for each command that sends requests to an instance. */
export const targetFlag = textFlag("<NAME>", "target of the configuration file");

/** A target with its name. */
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
 * Returns the target with a URL: the chosen target if it has this URL, otherwise the only one with it. Undefined if no target has
 * it. Throws a `HarnessError` if several targets have it, because each may have its own token.
 */
export function findTargetByUrl(url: string, fileTargets: FileTargets | undefined): NamedTarget | undefined {
  const sameUrlTargets = Object.entries(fileTargets?.targets ?? {})
    .filter(([, target]) => normalizeUrl(target.url) === normalizeUrl(url))
    .map(([name, target]) => ({ name, target }));
  const chosenTarget = sameUrlTargets.find(({ name }) => name === fileTargets?.chosenName);
  if (chosenTarget === undefined && sameUrlTargets.length > 1) {
    const names = sameUrlTargets.map(({ name }) => name).join(" and ");
    throw new HarnessError("usage", `${url} is the address of the targets ${names}; choose one of them with --target`);
  }
  return chosenTarget ?? sameUrlTargets[0];
}

/** Describes an unknown target, with the nearest name. */
export function describeUnknownTarget(name: string, targets: FileTargets["targets"]): string {
  const names = Object.keys(targets);
  const suggestion = nearestName(name, names);
  const knownTargets = names.length === 0 ? "there are no targets" : `targets are ${names.join(", ")}`;
  return `unknown target "${name}"; ${suggestion === undefined ? knownTargets : `did you mean \`${suggestion}\`?`}`;
}
