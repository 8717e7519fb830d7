import type { Flag, FlagSchema, Flags } from "../flag.ts";
import type { AssayConfig, TargetConfig } from "./assay-config.ts";

/** The schema of a member, with its description. */
export interface ConfigSchema extends Omit<FlagSchema, "type" | "items"> {
  readonly $schema?: string;
  readonly $id?: string;
  readonly type: FlagSchema["type"];
  readonly description?: string;
  readonly items?: ConfigSchema;
  readonly properties?: Readonly<Record<string, ConfigSchema>>;
  readonly required?: readonly string[];
  readonly propertyNames?: { readonly pattern: string };
  readonly additionalProperties?: false | ConfigSchema;
}

const stringSchema = (description: string): ConfigSchema => ({ type: "string", description });
const stringOrListSchema = (description: string): ConfigSchema => ({
  type: ["string", "array"],
  items: { type: "string" },
  description,
});

/** Creates the schema for an environment variable name. Allows upper case only, so that a pasted token is rejected. */
const variableSchema = (description: string): ConfigSchema => ({
  type: "string",
  pattern: "^[A-Z_][A-Z0-9_]{0,99}$",
  title: "an environment variable name in upper case, such as STAGING_TOKEN; never put the value itself here",
  description,
});

const tokenMembers = {
  oauth: variableSchema("Environment variable that contains an OAuth token."),
  other: variableSchema("Environment variable that contains a second user's access token."),
  read: variableSchema("Environment variable that contains a token whose only scope is externalapi:read."),
  write: variableSchema("Environment variable that contains a token whose only scope is externalapi:write."),
  unscoped: variableSchema("Environment variable that contains a valid token without the required scopes."),
  unscopedOauth: variableSchema(
    "Environment variable that contains a valid OAuth token without the scope for searching.",
  ),
  quota: variableSchema("Environment variable that contains a token with no remaining quota."),
  entitlement: variableSchema("Environment variable that contains a token whose entitlement is used up."),
} as const satisfies Required<Record<keyof NonNullable<TargetConfig["tokens"]>, ConfigSchema>>;

const targetMembers = {
  url: stringSchema("Base URL (http or https), without credentials."),
  access: {
    type: "string",
    enum: ["private", "public"],
    description: "Whether the instance allows requests without a token.",
  },
  sharing: { type: "string", enum: ["on", "off"], description: "Whether read tokens work for other users." },
  limits: {
    type: "string",
    enum: ["local", "staging", "production"],
    description: "Preset for the request rate and the number of questions.",
  },
  questions: {
    type: "integer",
    minimum: 0,
    maximum: 10_000,
    description: "Maximum number of questions in one run.",
  },
  questionTimeout: {
    type: "integer",
    minimum: 1,
    maximum: 86_400,
    description: "Maximum time to poll one question, in seconds.",
  },
  query: stringSchema("A query with matches on this instance."),
  queries: {
    type: "array",
    items: { type: "string" },
    description: "Queries of a load run. Default: `query` if set, otherwise the built-in queries.",
  },
  knownFailures: stringOrListSchema(
    "Known-failure files, or names of shipped lists. Paths are relative to the folder of this file.",
  ),
  openapi: stringSchema("File or URL of the OpenAPI document to validate against."),
  confirmHost: stringOrListSchema("Hosts allowed as load targets; same as --confirm-host."),
  tokenVariable: variableSchema(
    "Environment variable that contains the access token. No other token is then sent to the target.",
  ),
  tokenFile: stringSchema("File that contains the access token."),
  tokenCommand: stringSchema("Shell command that prints the access token."),
  tokens: {
    type: "object",
    additionalProperties: false,
    properties: tokenMembers,
    description: "Environment variables that contain further credentials.",
  },
  clientCert: stringSchema("Client certificate in PEM, optionally with its key."),
  clientKey: stringSchema("Key of the client certificate in PEM."),
  clientPassphraseFile: stringSchema("File that contains the passphrase of the key."),
  clientPassphraseVariable: variableSchema("Environment variable that contains the passphrase of the key."),
  http: {
    type: "string",
    enum: ["1.1", "2"],
    description: "HTTP version for `run` and `doctor`; 2 requires https.",
  },
  headers: {
    type: "object",
    propertyNames: { pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$" },
    additionalProperties: variableSchema("Environment variable that contains the value of the header."),
    description: "Headers added to every request, each mapped to the environment variable that contains its value.",
  },
} as const satisfies Required<Record<keyof TargetConfig, ConfigSchema>>;

const targetSchema: ConfigSchema = {
  type: "object",
  description: "An instance to test.",
  additionalProperties: false,
  required: ["url"],
  properties: targetMembers,
};

const fixedMembers: Readonly<Record<string, ConfigSchema>> = {
  $schema: stringSchema("JSON Schema for editors. Assay ignores it."),
  defaultTarget: stringSchema("Target used if --target is not set."),
  targets: {
    type: "object",
    description: "Instances to test, keyed by the name passed to --target.",
    propertyNames: { pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$" },
    additionalProperties: targetSchema,
  },
} satisfies Required<Record<Extract<keyof AssayConfig, "$schema" | "defaultTarget" | "targets">, ConfigSchema>>;

/** The flags of each command that has a section. */
export type CommandFlags = Readonly<Record<string, Flags>>;

/**
 * Flags that sections cannot set. Tokens belong to a target, so that they are never sent to another host. Sections
 * cannot select a target either.
 */
export const targetOnlyFlags: ReadonlySet<string> = new Set([
  "target",
  "tokenFile",
  "tokenCommand",
  "againstTokenFile",
]);

/** Appends the unit of the flag's argument to its help, before any parenthesis. */
const describeWithUnit = ({ argument, help }: Flag): string =>
  argument === "<SECONDS>" ? help.replace(/(?= \(|$)/u, ", in seconds") : help;

const createFlagSchema = (flag: Flag): ConfigSchema => {
  // `--no-canary` becomes the member `canary`, and its help text describes the value false.
  const help = flag.isNegated === true ? `false: ${flag.help}` : describeWithUnit(flag);
  const { description: note } = flag.schema;
  return { ...flag.schema, description: note === undefined ? help : `${help}; ${note}` };
};

const createSectionSchema = (name: string, flags: Flags): ConfigSchema => ({
  type: "object",
  description: `Flags of assay ${name}.`,
  additionalProperties: false,
  properties: Object.fromEntries(
    Object.entries(flags)
      .filter(([member]) => !targetOnlyFlags.has(member))
      .map(([member, flag]) => [member, createFlagSchema(flag)]),
  ),
});

/** Creates the schema of a configuration file, with a section for each command. */
export const createConfigSchema = (sections: CommandFlags): ConfigSchema => ({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $id: "urn:assay:schema:config:1",
  title: "Assay configuration",
  description:
    "Content of assay.config.ts, .js, .mjs and .json. Precedence: flag, environment variable, target, section of the command.",
  type: "object",
  additionalProperties: false,
  properties: {
    ...fixedMembers,
    ...Object.fromEntries(Object.entries(sections).map(([name, flags]) => [name, createSectionSchema(name, flags)])),
  },
});
