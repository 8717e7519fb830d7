import { isRecord } from "@assay/reading";
import { parseBaseUrl } from "@assay/client";
import { visibleText } from "@assay/evidence";
import { nearestName } from "@assay/runner";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { ValidateFunction } from "ajv/dist/2020.js";
import type { ErrorObject } from "ajv";
import type { AssayConfig } from "./assay-config.ts";
import type { CommandFlags } from "./config-schema.ts";
import { createConfigSchema, targetOnlyFlags } from "./config-schema.ts";
import { describeUnknownTarget } from "./file-targets.ts";
import { containsToken } from "./token-text.ts";

/** Converts a JSON pointer to a path for messages: `targets.staging.limits`, `load.threshold[1]`. */
const formatPointer = (pointer: string): string =>
  pointer
    .split("/")
    .slice(1)
    .map((part) => visibleText(part.replaceAll("~1", "/").replaceAll("~0", "~"), 60))
    .map((part, index) => (/^\d+$/u.test(part) ? `[${part}]` : index === 0 ? part : `.${part}`))
    .join("");

const typeNames: Readonly<Record<string, string>> = {
  string: "a string",
  boolean: "true or false",
  array: "a list of strings",
  object: "an object",
  integer: "a whole number",
  number: "a number",
};

/** Describes the values that a schema allows. */
function describeExpected(schema: unknown): string {
  const { title, enum: names, type, minimum, maximum } = isRecord(schema) ? schema : {};
  if (typeof title === "string") {
    return title;
  }
  if (Array.isArray(names)) {
    return `one of ${names.join(", ")}`;
  }
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  const typeText = types.map((name) => typeNames[String(name)] ?? String(name)).join(" or ");
  return typeof minimum === "number" && typeof maximum === "number"
    ? `${typeText} from ${minimum} to ${maximum}`
    : typeText;
}

const describeType = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "a list" : (typeNames[typeof value] ?? `a ${typeof value}`);

/** Describes a value for messages. Quotes only short strings and numbers, and never a possible secret. */
function describeValue(value: unknown): string {
  const text = typeof value === "string" ? `"${visibleText(value, 40)}"` : String(value);
  return (typeof value === "string" || typeof value === "number") && text.length <= 32 && !containsToken(text)
    ? `is ${text}`
    : `is ${describeType(value)}`;
}

const listProperties = (schema: unknown): readonly string[] => {
  const properties = isRecord(schema) ? schema["properties"] : undefined;
  return isRecord(properties) ? Object.keys(properties) : [];
};

const suggestName = (typedName: string, knownNames: readonly string[]): string => {
  const suggestion = nearestName(typedName, knownNames);
  return suggestion === undefined ? `choose one of ${knownNames.join(", ")}` : `did you mean \`${suggestion}\`?`;
};

const joinPath = (path: string, member: string): string =>
  path === "" ? visibleText(member, 60) : `${path}.${visibleText(member, 60)}`;

function suggestChoice(data: unknown, schema: unknown): string {
  const names = isRecord(schema) && Array.isArray(schema["enum"]) ? schema["enum"].map(String) : [];
  const suggestion = typeof data === "string" ? nearestName(data, names) : undefined;
  return suggestion === undefined ? "" : `did you mean "${suggestion}"? `;
}

/** Describes a schema error: the member, its problem and the expected value. */
function describeSchemaError(error: ErrorObject): string {
  const path = formatPointer(error.instancePath);
  const { params, parentSchema, data } = error;
  switch (error.keyword) {
    case "additionalProperties": {
      const member = String(params["additionalProperty"]);
      return `unknown member ${joinPath(path, member)}; ${suggestName(member, listProperties(parentSchema))}`;
    }
    case "required":
      return `${path} lacks the required member ${String(params["missingProperty"])}`;
    case "enum":
      return `${path} ${describeValue(data)}; ${suggestChoice(data, parentSchema)}it must be ${describeExpected(parentSchema)}`;
    case "pattern":
      return error.propertyName === undefined
        ? `${path} must be ${describeExpected(parentSchema)}`
        : `"${visibleText(error.propertyName, 60)}" in ${path} is not a valid name here; use letters, digits and hyphens`;
    default:
      return `${path === "" ? "the exported value" : path} ${describeValue(data)}; it must be ${describeExpected(parentSchema)}`;
  }
}

/** Members that users may expect to contain a token. */
const secretMember =
  /^(?:api_?key|authorization|bearer|password|passwd|secret|(?:access_?|auth_?|oauth_?|src_?access_?)?token)$/iu;

interface Member {
  readonly path: string;
  readonly name: string;
  readonly value: unknown;
}

/** Valid members are never nested more deeply. */
const maxDepth = 8;

function* walkMembers(value: unknown, path = "", depth = 0): Generator<Member> {
  if (typeof value !== "object" || value === null || depth > maxDepth) {
    return;
  }
  for (const [name, child] of Object.entries(value)) {
    const childPath = Array.isArray(value) ? `${path}[${name}]` : path === "" ? name : `${path}.${name}`;
    yield { path: childPath, name, value: child };
    yield* walkMembers(child, childPath, depth + 1);
  }
}

/** Reports whether a member is a header. It may have any name, because its value is the name of a variable. */
const isHeader = (path: string): boolean => /^targets\.[^.]+\.headers\./u.test(path);

/** Describes a token in the file, because a schema error would not be clear enough. Never quotes a value. */
function findSecret(value: unknown): string | undefined {
  for (const { path, name, value: memberValue } of walkMembers(value)) {
    const hasSecretName = typeof memberValue === "string" && secretMember.test(name) && !isHeader(path);
    if (hasSecretName || (typeof memberValue === "string" && containsToken(memberValue))) {
      const problem = hasSecretName
        ? `${path}: a token must not be written to this file`
        : `${path} seems to contain a token`;
      return `${problem}; set targets.NAME.tokenVariable to the name of the variable that contains it, or use tokenFile or tokenCommand`;
    }
  }
  return undefined;
}

function findMisplacedToken(config: AssayConfig, sections: CommandFlags): string | undefined {
  const members = new Map<string, unknown>(Object.entries(config));
  for (const name of Object.keys(sections)) {
    const section = members.get(name);
    const member = isRecord(section) ? Object.keys(section).find((key) => targetOnlyFlags.has(key)) : undefined;
    if (member !== undefined) {
      return member === "target"
        ? `${name}.target cannot be set; set defaultTarget for all commands, or pass --target`
        : `${name}.${member} would send a token to any host; set targets.NAME.${member === "againstTokenFile" ? "tokenFile" : member} instead`;
    }
  }
  return undefined;
}

/** Compiled schemas, by their JSON. Compiling takes a hundred times as long as checking a configuration. */
const compiledSchemas = new Map<string, ValidateFunction>();

function compileSchema(sections: CommandFlags | undefined): ValidateFunction {
  const schema = { ...createConfigSchema(sections ?? {}), additionalProperties: sections === undefined };
  const text = JSON.stringify(schema);
  const cached = compiledSchemas.get(text);
  // Not validated in each process, because a test checks the schema.
  const ajv = new Ajv2020({
    allowUnionTypes: true,
    strictTypes: false,
    verbose: true,
    allErrors: true,
    validateSchema: false,
  });
  const validate = cached ?? ajv.compile(schema);
  compiledSchemas.set(text, validate);
  return validate;
}

function findSchemaError(value: unknown, sections: CommandFlags | undefined): string | undefined {
  const validate = compileSchema(sections);
  if (validate(value)) {
    return undefined;
  }
  // Errors about members are more useful than errors about their names, and a mistyped member is more useful than a missing one.
  const errors = (validate.errors ?? []).filter(({ keyword }) => keyword !== "propertyNames");
  const firstError = errors.find(({ keyword }) => keyword === "additionalProperties") ?? errors[0];
  return firstError === undefined ? "it is not a valid configuration" : describeSchemaError(firstError);
}

function findInvalidUrl({ targets = {} }: AssayConfig): string | undefined {
  for (const [name, { url }] of Object.entries(targets)) {
    try {
      parseBaseUrl(url);
    } catch (error) {
      const reason = error instanceof Error ? error.message.replace(/^[a-z-]+: /u, "") : "it is not an address";
      return `targets.${name}.url: ${reason}`;
    }
  }
  return undefined;
}

function findDuplicateTokenSource({ targets = {} }: AssayConfig): string | undefined {
  for (const [name, target] of Object.entries(targets)) {
    const tokenSources = (["tokenVariable", "tokenFile", "tokenCommand"] as const).filter(
      (key) => target[key] !== undefined,
    );
    if (tokenSources.length > 1) {
      return `targets.${name} sets more than one token source (${tokenSources.join(", ")}); keep one`;
    }
  }
  return undefined;
}

function findUnknownDefault(config: AssayConfig): string | undefined {
  const { defaultTarget, targets = {} } = config;
  return defaultTarget === undefined || Object.hasOwn(targets, defaultTarget)
    ? undefined
    : `defaultTarget: ${describeUnknownTarget(defaultTarget, targets)}`;
}

/** A valid configuration, or a description of its first error. */
export type CheckedConfig =
  | { readonly config: AssayConfig; readonly mistake?: never }
  | { readonly mistake: string; readonly config?: never };

// The schema was checked before.
const isConfig = (value: unknown): value is AssayConfig => isRecord(value);

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (isRecord(value) && Object.keys(value).length === 0);

/** Describes an error in the exported value as a whole. */
function findFormMistake(value: unknown): string | undefined {
  if (isEmpty(value)) {
    return "it contains no settings; write `{ … }`, or `export default defineConfig({ … })` in a program";
  }
  if (!isRecord(value)) {
    return "it is not an object; write `{ … }`, or `export default defineConfig({ … })` in a program";
  }
  return Object.hasOwn(value, "extends")
    ? "extends is not supported, and no other file is loaded; import the other file and spread it"
    : undefined;
}

/**
 * Checks the exported value of a configuration file. Checks the sections of commands if `sections` is set; otherwise they only have to be
 * objects. Never quotes a possible secret.
 */
export function checkConfig(value: unknown, sections: CommandFlags | undefined): CheckedConfig {
  const formMistake = findFormMistake(value);
  if (formMistake !== undefined || !isConfig(value)) {
    return { mistake: formMistake ?? "it is not an object" };
  }
  const checks = [
    () => findSecret(value),
    () => findMisplacedToken(value, sections ?? {}),
    () => findSchemaError(value, sections),
    () => findInvalidUrl(value),
    () => findDuplicateTokenSource(value),
    () => findUnknownDefault(value),
  ];
  // The order matters: each check relies on the ones before it.
  for (const check of checks) {
    const mistake = check();
    if (mistake !== undefined) {
      return { mistake };
    }
  }
  return { config: value };
}
