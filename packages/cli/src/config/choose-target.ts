import { HarnessError } from "@assay/contract";
import { isSameTrust } from "@assay/client";
import { shownAddress } from "../shown-address.ts";
import type { AssayConfig, TargetConfig } from "./assay-config.ts";
import { plainUrl, unknownTarget } from "./file-targets.ts";

/** How strongly something was said: a flag is stronger than its variable. */
export type ValueSource = "flag" | "variable";

/** What a person may have said by flag or variable. */
export interface SourcedValue<Value> {
  readonly value: Value;
  readonly by: ValueSource;
}

/** Everything that can say which instance is meant. */
export interface TargetSelection {
  readonly target?: SourcedValue<string>;
  readonly url?: SourcedValue<string>;
  /** By `--embedded`, or by a flag that needs the embedded server. */
  readonly embedded?: SourcedValue<true> & { readonly flag: string };
  /** `SRC_ENDPOINT`, also when it is empty. */
  readonly endpoint?: string;
  /** What the section of the command says. */
  readonly section: { readonly url?: string; readonly embedded?: boolean };
}

/** The target to use, and whether the address comes from the file. */
export interface TargetChoice {
  readonly name?: string;
  /** Where in the file the address comes from: the chosen target, or the section of the command. Absent for neither. */
  readonly address?: "target" | "section";
  /** Sentences about what was ignored. */
  readonly notes: readonly string[];
}

const shownHost = (url: string): string => (URL.canParse(url) ? new URL(url).host : "another address");

const isElsewhere = (url: string, target: TargetConfig): boolean =>
  url.trim() !== "" && plainUrl(url) !== plainUrl(target.url);

const isOtherHost = (endpoint: string, { url }: TargetConfig): boolean =>
  URL.canParse(endpoint) && !isSameTrust(endpoint, url);

/** How flag and variable are written. */
const written = (name: string, by: ValueSource): string =>
  by === "flag" ? `--${name}` : `ASSAY_${name.toUpperCase().replaceAll("-", "_")}`;

interface Contradiction {
  readonly what: string;
  readonly by: ValueSource;
}

/** An address that was given and is not that of the target. */
function contradictionOf({ url, embedded }: TargetSelection, target: TargetConfig): Contradiction | undefined {
  if (embedded !== undefined) {
    return { what: `${written(embedded.flag, embedded.by)} asks for the embedded server`, by: embedded.by };
  }
  return url !== undefined && isElsewhere(url.value, target)
    ? { what: `${written("url", url.by)} names ${shownHost(url.value)}`, by: url.by }
    : undefined;
}

function targetNamed(name: string, { targets = {} }: AssayConfig): TargetConfig {
  const target = Object.hasOwn(targets, name) ? targets[name] : undefined;
  if (target === undefined) {
    throw new HarnessError("usage", unknownTarget(name, targets));
  }
  return target;
}

/** What names another address than a target that was chosen all the same. */
function ignoredAddress(selection: TargetSelection, target: TargetConfig): string | undefined {
  const { endpoint = "" } = selection;
  const other = contradictionOf(selection, target)?.what;
  return other ?? (isOtherHost(endpoint, target) ? `SRC_ENDPOINT names ${shownHost(endpoint)}` : undefined);
}

/** The target that was named; undefined where a flag says otherwise than its variable. */
function namedTarget(
  wanted: SourcedValue<string>,
  selection: TargetSelection,
  config: AssayConfig,
): TargetChoice | undefined {
  const { value: name, by } = wanted;
  const target = targetNamed(name, config);
  const other = contradictionOf(selection, target);
  const source = `${written("target", by)} ${name} is`;
  if (other?.by === by) {
    throw new HarnessError("usage", `${other.what}, but ${source} ${target.url}; leave out one of them`);
  }
  if (other?.by === "flag") {
    return undefined;
  }
  const ignored = ignoredAddress(selection, target);
  const notes = ignored === undefined ? [] : [`${ignored}, which is ignored: ${source} ${shownHost(target.url)}`];
  return { name, address: "target", notes };
}

function fromFile({ section }: TargetSelection, { defaultTarget, targets = {} }: AssayConfig): TargetChoice {
  const target = defaultTarget === undefined ? undefined : targets[defaultTarget];
  if (section.embedded === true) {
    return { address: "section", notes: [] };
  }
  if (section.url !== undefined && target !== undefined && isElsewhere(section.url, target)) {
    throw new HarnessError(
      "usage",
      `the configuration names both ${shownAddress(section.url)} (url) and ${target.url} (defaultTarget); leave out one of them`,
    );
  }
  if (target !== undefined && defaultTarget !== undefined) {
    return { name: defaultTarget, address: "target", notes: [] };
  }
  return { address: "section", notes: [] };
}

/**
 * Which target of the file is meant. `--target` comes first, and `--url` or `--embedded` beside it contradict it unless one is a
 * flag and the other a variable: then the flag wins. Without `--target` an address that was given, or `SRC_ENDPOINT`, wins over
 * everything in the file; a target of the file then applies only where it has that very address. Else the section of the command
 * says, else `defaultTarget`. Fails with a `HarnessError` for a target that is not there, and for a contradiction.
 */
export function chooseTarget(selection: TargetSelection, config: AssayConfig): TargetChoice {
  const { target, url, embedded, endpoint } = selection;
  const named = target === undefined ? undefined : namedTarget(target, selection, config);
  if (named !== undefined) {
    return named;
  }
  const notes =
    target === undefined ? [] : [`${written("target", target.by)} ${target.value} is ignored: a flag says otherwise`];
  return url !== undefined || embedded !== undefined || endpoint !== undefined
    ? { notes }
    : fromFile(selection, config);
}
