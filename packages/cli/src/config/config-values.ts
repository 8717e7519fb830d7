import { defined } from "@assay/contract";
import { checkHeader, readExtraHeaders, noProxyVariables, proxyVariables } from "@assay/client";
import { visibleText } from "@assay/evidence";
import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { type Flag, flagsOf, isTurnedOff, formatFlagName, formatVariableName } from "../flag.ts";
import { type TargetAccessOptions, type TokenSources, findTokenSources } from "../run/resolve-target.ts";
import { redactUrl } from "../redact-url.ts";
import type { AppliedConfig } from "./apply-config.ts";
import { redactTokens } from "./token-text.ts";

/** A setting and where its value came from. */
export interface ConfigValue {
  readonly name: string;
  /** Undefined if no source sets it. */
  readonly value?: string | number | boolean | readonly string[];
  /** `flag`, the name of a variable, `FILE: member`, or `default`. */
  readonly source: string;
}

/** A value that is never shown. */
export interface HiddenValue {
  readonly name: string;
  /** Number of characters. Undefined if Assay would have to read a file or run a command. */
  readonly length?: number;
  /** Undefined if the value is not set. */
  readonly source?: string;
  /** Variables that can set it. */
  readonly from?: readonly string[];
}

export interface ConfigReport {
  readonly command: string;
  readonly file?: string;
  readonly target?: string;
  readonly values: readonly ConfigValue[];
  readonly tokens: readonly HiddenValue[];
  readonly headers: readonly HiddenValue[];
  readonly proxies: readonly ConfigValue[];
  /** Variables that are not sent, because they belong to a different instance. */
  readonly withheld: readonly string[];
}

const maxTextLength = 300;

/** Replaces secrets in text: user names and passwords of URLs, and tokens. */
const redactText = (text: string): string =>
  visibleText(redactTokens(text).replaceAll(/\/\/[^/@\s]*@/gu, "//***@"), maxTextLength);

/** Returns a formatter for the flag's value that hides passwords in commands and URLs. */
function createFormatter({ argument = "" }: Flag): (text: string) => string {
  if (argument === "<COMMAND>") {
    return () => "a command";
  }
  return /[<|]URL>/u.test(argument) ? (text) => redactText(redactUrl(text)) : redactText;
}

function formatValue(value: unknown, flag: Flag): Required<Pick<ConfigValue, "value">> {
  const format = createFormatter(flag);
  if (Array.isArray(value)) {
    return { value: value.map((item) => format(String(item))) };
  }
  return { value: typeof value === "number" || typeof value === "boolean" ? value : format(String(value)) };
}

interface ValueContext {
  readonly command: Command;
  readonly appliedConfig: AppliedConfig;
  readonly context: CommandContext;
}

/** Returns the target URL from the environment, or its default. */
function findEndpoint({ command, context }: ValueContext): ConfigValue {
  const { SRC_ENDPOINT: endpoint } = context.env;
  const isEmbedded = endpoint === undefined || command.getOptionValue("embedded") === true;
  const source = isEmbedded ? "default" : "SRC_ENDPOINT";
  const isFromEnvironment = !isEmbedded && command.name() !== "cleanup";
  return isFromEnvironment
    ? { name: "--url", value: redactText(redactUrl(endpoint)), source }
    : { name: "--url", source: "default" };
}

function findSource(name: string, flag: Flag, { command, appliedConfig }: ValueContext): string {
  const member = appliedConfig.members.get(name);
  switch (command.getOptionValueSource(name)) {
    case "cli":
      return "flag";
    case "env":
      return formatVariableName(name, flag);
    default:
      return member === undefined ? "default" : `${appliedConfig.file?.displayPath ?? ""}: ${member}`;
  }
}

function describeFlagValue(member: string, flag: Flag, valueContext: ValueContext): ConfigValue {
  const { command, context } = valueContext;
  const name = formatFlagName(member, flag);
  const value: unknown = command.getOptionValue(member);
  if (isTurnedOff(member, flag, context.env) && command.getOptionValueSource(member) !== "cli") {
    return { name, value: false, source: formatVariableName(member, flag) };
  }
  const source = findSource(member, flag, valueContext);
  if (flag.isNegated === true) {
    return { name, value: value === false, source: value === false ? source : "default" };
  }
  if (value === undefined) {
    const isSwitchUnset = flag.argument === undefined && source !== "default";
    return name === "--url"
      ? findEndpoint(valueContext)
      : isSwitchUnset
        ? { name, value: false, source }
        : { name, source };
  }
  return { name, ...formatValue(value, flag), source };
}

const tokenNames = {
  accessToken: "access token",
  oauthToken: "OAuth token",
  otherAccessToken: "other token",
  readToken: "read token",
  writeToken: "write token",
  unscopedToken: "unscoped token",
  unscopedOauthToken: "unscoped OAuth token",
  quotaToken: "quota token",
  entitlementToken: "entitlement token",
} as const;

function describeTokenSource({ source, isSetByFlag, namedTarget }: TokenSources): string | undefined {
  const { tokenFile, tokenCommand } = source;
  const location = tokenFile === undefined ? tokenCommand && "a command" : `the file ${visibleText(tokenFile, 200)}`;
  const member = `targets.${namedTarget?.name ?? ""}.${tokenFile === undefined ? "tokenCommand" : "tokenFile"}`;
  return location === undefined ? undefined : `${location}, ${isSetByFlag ? "set by a flag" : member}`;
}

function describeTokens(sources: TokenSources): readonly HiddenValue[] {
  const { env, variables } = sources;
  const tokenSource = describeTokenSource(sources);
  return Object.entries(tokenNames).map(([key, name]): HiddenValue => {
    if (key === "accessToken" && tokenSource !== undefined) {
      return { name, source: tokenSource };
    }
    const variableNames = Object.entries(variables).find(([token]) => token === key)?.[1] ?? [];
    const variable = variableNames.find((variableName) => (env[variableName] ?? "") !== "");
    return variable === undefined
      ? { name, from: variableNames }
      : { name, length: (env[variable] ?? "").trim().length, source: variable };
  });
}

const headerVariablePrefix = "SRC_HEADER_";

function describeHeaders({ namedTarget, env }: TokenSources, environment: NodeJS.ProcessEnv): readonly HiddenValue[] {
  const targetHeaders = Object.entries(namedTarget?.target.headers ?? {}).map(([header, variable]): HiddenValue => {
    const value = environment[variable];
    const [name] = checkHeader([header, ""], `targets.${namedTarget?.name ?? ""}.headers`);
    return value === undefined ? { name, from: [variable] } : { name, length: value.length, source: variable };
  });
  const generalHeaders = readExtraHeaders(env).map(([name, value]): HiddenValue => {
    const variable = Object.keys(env).find(
      (variableName) =>
        variableName.startsWith(headerVariablePrefix) &&
        variableName.slice(headerVariablePrefix.length).toLowerCase() === name,
    );
    return { name, length: value.length, source: variable ?? "SRC_HEADERS" };
  });
  return [
    ...generalHeaders.filter(({ name }) => !targetHeaders.some((header) => header.name === name)),
    ...targetHeaders,
  ];
}

const describeProxies = (env: NodeJS.ProcessEnv): readonly ConfigValue[] =>
  [...proxyVariables, ...noProxyVariables].flatMap((name) => {
    const value = env[name] ?? "";
    // A proxy URL has no path, so everything before the last @ is credentials.
    const redactedUrl = redactText(value.replace(/^([a-z\d]+:\/\/)?.*@/isu, "$1***@"));
    return value === "" ? [] : [{ name, value: redactedUrl, source: "environment" }];
  });

/** Returns the settings of a command with their sources. Never contains passwords or the values of tokens and headers. */
export function createConfigReport(valueContext: ValueContext): ConfigReport {
  const { command, appliedConfig, context } = valueContext;
  const values = Object.entries(flagsOf(command)).map(([name, flag]) => describeFlagValue(name, flag, valueContext));
  const file = appliedConfig.file === undefined ? {} : { file: appliedConfig.file.displayPath };
  const commonMembers = {
    command: command.name(),
    ...file,
    ...defined({ target: appliedConfig.target }),
  };
  const options: TargetAccessOptions & { readonly url?: string } = command.opts();
  const url = options.url ?? context.env["SRC_ENDPOINT"];
  const canSendRequests = Object.hasOwn(flagsOf(command), "tokenFile");
  if (!canSendRequests || url === undefined || command.getOptionValue("embedded") === true) {
    return { ...commonMembers, values, tokens: [], headers: [], proxies: [], withheld: [] };
  }
  const sources = findTokenSources({ url, options, context });
  return {
    ...commonMembers,
    values,
    tokens: describeTokens(sources),
    headers: describeHeaders(sources, context.env),
    proxies: describeProxies(context.env),
    withheld: sources.withheld,
  };
}
