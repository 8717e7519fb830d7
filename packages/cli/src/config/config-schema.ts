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

const text = (description: string): ConfigSchema => ({ type: "string", description });
const texts = (description: string): ConfigSchema => ({
  type: ["string", "array"],
  items: { type: "string" },
  description,
});

/** A member with the name of a variable. Only capitals are allowed, so that a token is refused. */
const variable = (description: string): ConfigSchema => ({
  type: "string",
  pattern: "^[A-Z_][A-Z0-9_]{0,99}$",
  title:
    "the name of an environment variable in capitals, such as STAGING_TOKEN; the value itself is never written here",
  description,
});

const tokens = {
  oauth: variable("Variable of an OAuth token."),
  other: variable("Variable of a second user's access token."),
  read: variable("Variable of a token with no scope but externalapi:read."),
  write: variable("Variable of a token with no scope but externalapi:write."),
  unscoped: variable("Variable of a valid token that lacks the scopes."),
  unscopedOauth: variable("Variable of a valid OAuth token that lacks the scope for searching."),
  quota: variable("Variable of a token whose quota is used up."),
  entitlement: variable("Variable of a token whose entitlement is used up."),
} as const satisfies Required<Record<keyof NonNullable<TargetConfig["tokens"]>, ConfigSchema>>;

const targetMembers = {
  url: text("Base address, http or https, without user name and password."),
  access: { type: "string", enum: ["private", "public"], description: "Whether it answers without a token." },
  sharing: { type: "string", enum: ["on", "off"], description: "Whether read tokens work for others." },
  limits: {
    type: "string",
    enum: ["local", "staging", "production"],
    description: "How careful to be: number of questions and pace.",
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
  query: text("A query with matches on this instance."),
  queries: {
    type: "array",
    items: { type: "string" },
    description: "Queries of a load run. Default: the query, else the usual ones.",
  },
  knownFailures: texts("Files of known failures, and shipped lists. Paths are relative to the folder of this file."),
  openapi: text("File or address of the OpenAPI document to judge by."),
  confirmHost: texts("Hosts that may be loaded, as --confirm-host names them."),
  tokenVariable: variable("Name of the variable with the access token. The target then gets no other token."),
  tokenFile: text("File with the access token."),
  tokenCommand: text("Shell command that prints the access token."),
  tokens: {
    type: "object",
    additionalProperties: false,
    properties: tokens,
    description: "Names of the variables with further credentials.",
  },
  clientCert: text("Client certificate, PEM, which may contain its key as well."),
  clientKey: text("Key of the client certificate, PEM."),
  clientPassphraseFile: text("File with the passphrase of the key."),
  clientPassphraseVariable: variable("Variable with the passphrase of the key."),
  http: {
    type: "string",
    enum: ["1.1", "2"],
    description: "HTTP version of run and doctor; 2 needs https.",
  },
  headers: {
    type: "object",
    propertyNames: { pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$" },
    additionalProperties: variable("Variable with the value of the header."),
    description: "Headers of every request, each with the name of the variable that has its value.",
  },
} as const satisfies Required<Record<keyof TargetConfig, ConfigSchema>>;

const target: ConfigSchema = {
  type: "object",
  description: "An instance to test.",
  additionalProperties: false,
  required: ["url"],
  properties: targetMembers,
};

const fixedMembers: Readonly<Record<string, ConfigSchema>> = {
  $schema: text("Address of this schema; ignored."),
  defaultTarget: text("The target of commands without --target."),
  targets: {
    type: "object",
    description: "Instances to test, by the name that --target takes.",
    propertyNames: { pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$" },
    additionalProperties: target,
  },
} satisfies Required<Record<Extract<keyof AssayConfig, "$schema" | "defaultTarget" | "targets">, ConfigSchema>>;

/** The flags of each command that has a section. */
export type Sections = Readonly<Record<string, Flags>>;

/**
 * Flags that sections cannot set. A token belongs to a target, so that no other host gets it, and a section does not choose its target.
 */
export const flagsOfTargets: ReadonlySet<string> = new Set(["target", "tokenFile", "tokenCommand", "againstTokenFile"]);

const flagSchema = ({ schema, help, isNegated = false }: Flag): ConfigSchema => ({
  ...schema,
  // `--no-canary` is the member `canary`, and its help describes the value false.
  description: isNegated ? `false: ${help}` : help,
});

const sectionOf = (name: string, flags: Flags): ConfigSchema => ({
  type: "object",
  description: `Flags of assay ${name}.`,
  additionalProperties: false,
  properties: Object.fromEntries(
    Object.entries(flags)
      .filter(([member]) => !flagsOfTargets.has(member))
      .map(([member, flag]) => [member, flagSchema(flag)]),
  ),
});

/** Schema of a configuration file, with a section for each of these commands. */
export const configSchema = (sections: Sections): ConfigSchema => ({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $id: "urn:assay:schema:config:1",
  title: "Configuration of Assay",
  description:
    "Content of assay.config.ts, .js, .mjs and .json. A flag wins over its variable, a variable over the file, a target over a section.",
  type: "object",
  additionalProperties: false,
  properties: {
    ...fixedMembers,
    ...Object.fromEntries(Object.entries(sections).map(([name, flags]) => [name, sectionOf(name, flags)])),
  },
});
