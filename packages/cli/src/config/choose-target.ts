import { HarnessError } from "@assay/contract";
import { isSameTrust } from "@assay/client";
import { shownAddress } from "../shown-address.ts";
import type { AssayConfig, TargetConfig } from "./assay-config.ts";
import { plainUrl, unknownTarget } from "./file-targets.ts";

/** Source of a value: a flag is stronger than a variable. */
export type ValueSource = "flag" | "variable";

/** A value from a flag or variable. */
export interface SourcedValue<Value> {
  readonly value: Value;
  readonly by: ValueSource;
}

/** All sources that can choose an instance. */
export interface TargetSelection {
  readonly target?: SourcedValue<string>;
  readonly url?: SourcedValue<string>;
  /** From `--embedded`, or from a flag that needs the embedded server. */
  readonly embedded?: SourcedValue<true> & { readonly flag: string };
  /** `SRC_ENDPOINT`, even if it is empty. */
  readonly endpoint?: string;
  /** Values of the section of the command. */
  readonly section: { readonly url?: string; readonly embedded?: boolean };
}

/** The target to use, and whether the address comes from the file. */
export interface TargetChoice {
  readonly name?: string;
  /** Source of the address in the file: the chosen target, or the section of the command. Absent if it is not from the file. */
  readonly address?: "target" | "section";
  /** Sentences about ignored values. */
  readonly notes: readonly string[];
}

const shownHost = (url: string): string => (URL.canParse(url) ? new URL(url).host : "another address");

const isElsewhere = (url: string, target: TargetConfig): boolean =>
  url.trim() !== "" && plainUrl(url) !== plainUrl(target.url);

const isOtherHost = (endpoint: string, { url }: TargetConfig): boolean =>
  URL.canParse(endpoint) && !isSameTrust(endpoint, url);

/** A flag or variable for messages. */
const written = (name: string, by: ValueSource): string =>
  by === "flag" ? `--${name}` : `ASSAY_${name.toUpperCase().replaceAll("-", "_")}`;

interface Contradiction {
  readonly what: string;
  readonly by: ValueSource;
}

/** A given address that is not that of the target. */
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

/** The source of another address that is ignored because a target was chosen. */
function ignoredAddress(selection: TargetSelection, target: TargetConfig): string | undefined {
  const { endpoint = "" } = selection;
  const other = contradictionOf(selection, target)?.what;
  return other ?? (isOtherHost(endpoint, target) ? `SRC_ENDPOINT names ${shownHost(endpoint)}` : undefined);
}

/** The named target; undefined if a flag contradicts a variable. */
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
 * Chooses the target, in this order:
 * 1. `--target`. Another address by `--url` or `--embedded` is a contradiction, unless one is a flag and the other a variable: then the
 *    flag wins.
 * 2. A given address or `SRC_ENDPOINT`. A target of the file then applies only if it has the same address.
 * 3. The section of the command, else `defaultTarget`.
 * Fails with a `HarnessError` for an unknown target, and for a contradiction.
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
