import { HarnessError } from "@assay/contract";
import { mayShareCredentials } from "@assay/client";
import { redactUrl } from "../redact-url.ts";
import type { AssayConfig, TargetConfig } from "./assay-config.ts";
import { normalizeUrl, describeUnknownTarget } from "./file-targets.ts";

/** Source of a value. A flag overrides a variable. */
export type ValueSource = "flag" | "variable";

/** A value from a flag or variable. */
export interface SourcedValue<Value> {
  readonly value: Value;
  readonly source: ValueSource;
}

/** All settings that can select an instance. */
export interface TargetSelection {
  readonly target?: SourcedValue<string>;
  readonly url?: SourcedValue<string>;
  /** Set by `--embedded`, or by a flag that requires the embedded server. */
  readonly embedded?: SourcedValue<true> & { readonly flag: string };
  /** `SRC_ENDPOINT`, even if it is empty. */
  readonly endpoint?: string;
  /** Values of the section of the command. */
  readonly section: { readonly url?: string; readonly embedded?: boolean };
}

/** The target to use, and the source of its URL. */
export interface TargetChoice {
  readonly name?: string;
  /** Source of the URL in the file: the chosen target or the section of the command. Undefined if it is not from the file. */
  readonly urlSource?: "target" | "section";
  /** Sentences about ignored values. */
  readonly notes: readonly string[];
}

const formatHost = (url: string): string => (URL.canParse(url) ? new URL(url).host : "a different address");

const hasDifferentUrl = (url: string, target: TargetConfig): boolean =>
  url.trim() !== "" && normalizeUrl(url) !== normalizeUrl(target.url);

const hasDifferentTrust = (endpoint: string, { url }: TargetConfig): boolean =>
  URL.canParse(endpoint) && !mayShareCredentials(endpoint, url);

/** Formats a flag or variable for messages. */
const formatSetting = (name: string, source: ValueSource): string =>
  source === "flag" ? `--${name}` : `ASSAY_${name.toUpperCase().replaceAll("-", "_")}`;

interface Contradiction {
  readonly description: string;
  readonly source: ValueSource;
}

/** Returns the setting that selects a different URL than the target, if any. */
function findContradiction({ url, embedded }: TargetSelection, target: TargetConfig): Contradiction | undefined {
  if (embedded !== undefined) {
    return {
      description: `${formatSetting(embedded.flag, embedded.source)} selects the embedded server`,
      source: embedded.source,
    };
  }
  return url !== undefined && hasDifferentUrl(url.value, target)
    ? { description: `${formatSetting("url", url.source)} is ${formatHost(url.value)}`, source: url.source }
    : undefined;
}

function findTarget(name: string, { targets = {} }: AssayConfig): TargetConfig {
  const target = Object.hasOwn(targets, name) ? targets[name] : undefined;
  if (target === undefined) {
    throw new HarnessError("usage", describeUnknownTarget(name, targets));
  }
  return target;
}

/** Describes a different URL that is ignored because a target was chosen. */
function describeIgnoredUrl(selection: TargetSelection, target: TargetConfig): string | undefined {
  const { endpoint = "" } = selection;
  const ignoredUrl = findContradiction(selection, target)?.description;
  return ignoredUrl ?? (hasDifferentTrust(endpoint, target) ? `SRC_ENDPOINT is ${formatHost(endpoint)}` : undefined);
}

/** Returns the target set by `--target`, or undefined if another flag overrides its variable. */
function chooseNamedTarget(
  targetSetting: SourcedValue<string>,
  selection: TargetSelection,
  config: AssayConfig,
): TargetChoice | undefined {
  const { value: name, source } = targetSetting;
  const target = findTarget(name, config);
  const contradiction = findContradiction(selection, target);
  const settingText = `${formatSetting("target", source)} ${name} is`;
  if (contradiction?.source === source) {
    throw new HarnessError(
      "usage",
      `${contradiction.description}, but ${settingText} ${target.url}; remove one of them`,
    );
  }
  if (contradiction?.source === "flag") {
    return undefined;
  }
  const ignoredSetting = describeIgnoredUrl(selection, target);
  const notes =
    ignoredSetting === undefined
      ? []
      : [`${ignoredSetting}, which is ignored because ${settingText} ${formatHost(target.url)}`];
  return { name, urlSource: "target", notes };
}

function chooseFromFile({ section }: TargetSelection, { defaultTarget, targets = {} }: AssayConfig): TargetChoice {
  const target = defaultTarget === undefined ? undefined : targets[defaultTarget];
  if (section.embedded === true) {
    return { urlSource: "section", notes: [] };
  }
  if (section.url !== undefined && target !== undefined && hasDifferentUrl(section.url, target)) {
    throw new HarnessError(
      "usage",
      `the configuration sets both ${redactUrl(section.url)} (url) and ${target.url} (defaultTarget); remove one of them`,
    );
  }
  if (target !== undefined && defaultTarget !== undefined) {
    return { name: defaultTarget, urlSource: "target", notes: [] };
  }
  return { urlSource: "section", notes: [] };
}

/**
 * Chooses the target, in this order:
 * 1. `--target`. A different URL in `--url` or `--embedded` is a contradiction, unless one is a flag and the other a variable: then the
 * flag takes precedence.
 * 2. A URL from a flag or variable, or `SRC_ENDPOINT`. A target of the file then applies only if it has the same URL.
 * 3. The section of the command, otherwise `defaultTarget`.
 * Throws a `HarnessError` for an unknown target or a contradiction.
 */
export function chooseTarget(selection: TargetSelection, config: AssayConfig): TargetChoice {
  const { target, url, embedded, endpoint } = selection;
  const namedTarget = target === undefined ? undefined : chooseNamedTarget(target, selection, config);
  if (namedTarget !== undefined) {
    return namedTarget;
  }
  const notes =
    target === undefined
      ? []
      : [`${formatSetting("target", target.source)} ${target.value} is ignored because a flag overrides it`];
  return url !== undefined || embedded !== undefined || endpoint !== undefined
    ? { notes }
    : chooseFromFile(selection, config);
}
