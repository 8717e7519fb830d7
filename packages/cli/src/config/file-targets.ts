import { HarnessError } from "@assay/contract";
import { parseBaseUrl } from "@assay/client";
import { nearestName } from "@assay/runner";
import { text } from "../flag.ts";
import type { TargetConfig } from "./assay-config.ts";
import type { ConfigFile } from "./find-config.ts";

/** The targets of a configuration file, and the chosen one. */
export interface FileTargets {
  readonly file: ConfigFile;
  readonly targets: Readonly<Record<string, TargetConfig>>;
  /** Named by `--target`, or the default one if nothing else names an address. */
  readonly chosen?: string;
}

/** Addresses of the two targets in a new configuration, staging and production: the user replaces them. */
export const placeholderUrls: readonly string[] = ["https://staging.example.com", "https://search.example.com"];

/** Options of a command that takes `--target`. */
export interface TargetOptions {
  readonly target?: string;
  /** Not a flag: set when the configuration file has been read. */
  readonly fileTargets?: FileTargets;
}

/** `--target`, for each command that sends requests to an instance. */
export const targetFlag = text("<NAME>", "target of the configuration file");

/** A target with its name. */
export interface NamedTarget {
  readonly name: string;
  readonly target: TargetConfig;
}

/** An address in the form for comparisons; undefined if it is invalid. */
export function plainUrl(url: string): string | undefined {
  try {
    return parseBaseUrl(url).href.replace(/\/+$/u, "");
  } catch {
    return undefined;
  }
}

/**
 * The target with an address: the chosen one if it has this address, else the only one. Undefined if there is none. Fails with a
 * `HarnessError` if several have it, since each may have its own token.
 */
export function targetAt(url: string, given: FileTargets | undefined): NamedTarget | undefined {
  const same = Object.entries(given?.targets ?? {})
    .filter(([, target]) => plainUrl(target.url) === plainUrl(url))
    .map(([name, target]) => ({ name, target }));
  const chosen = same.find(({ name }) => name === given?.chosen);
  if (chosen === undefined && same.length > 1) {
    const names = same.map(({ name }) => name).join(" and ");
    throw new HarnessError("usage", `${url} is the address of the targets ${names}; choose one of them with --target`);
  }
  return chosen ?? same[0];
}

/** The sentence about an unknown target. */
export function unknownTarget(name: string, targets: FileTargets["targets"]): string {
  const names = Object.keys(targets);
  const near = nearestName(name, names);
  const known = names.length === 0 ? "there are no targets" : `targets are ${names.join(", ")}`;
  return `there is no target "${name}"; ${near === undefined ? known : `did you mean \`${near}\`?`}`;
}
