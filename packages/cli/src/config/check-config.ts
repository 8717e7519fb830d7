import { isRecord } from "@assay/reading";
import { parseBaseUrl } from "@assay/client";
import { visibleText } from "@assay/evidence";
import { nearestName } from "@assay/runner";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { ValidateFunction } from "ajv/dist/2020.js";
import type { ErrorObject } from "ajv";
import type { AssayConfig } from "./assay-config.ts";
import type { Sections } from "./config-schema.ts";
import { configSchema, flagsOfTargets } from "./config-schema.ts";
import { unknownTarget } from "./file-targets.ts";
import { holdsToken } from "./token-text.ts";

/** The path of a member for messages: `targets.staging.limits`, `load.threshold[1]`. */
const memberPath = (pointer: string): string =>
  pointer
    .split("/")
    .slice(1)
    .map((part) => visibleText(part.replaceAll("~1", "/").replaceAll("~0", "~"), 60))
    .map((part, index) => (/^\d+$/u.test(part) ? `[${part}]` : index === 0 ? part : `.${part}`))
    .join("");

const kinds: Readonly<Record<string, string>> = {
  string: "a text",
  boolean: "true or false",
  array: "a list of texts",
  object: "an object",
  integer: "a whole number",
  number: "a number",
};

/** The expected value of a member, in words. */
function expectedBy(schema: unknown): string {
  const { title, enum: names, type, minimum, maximum } = isRecord(schema) ? schema : {};
  if (typeof title === "string") {
    return title;
  }
  if (Array.isArray(names)) {
    return `one of ${names.join(", ")}`;
  }
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  const words = types.map((each) => kinds[String(each)] ?? String(each)).join(" or ");
  return typeof minimum === "number" && typeof maximum === "number" ? `${words} from ${minimum} to ${maximum}` : words;
}

const typeOf = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "a list" : (kinds[typeof value] ?? `a ${typeof value}`);

/** A value for messages. Only short texts and numbers are quoted, and never a possible secret. */
function shownValue(value: unknown): string {
  const text = typeof value === "string" ? `"${visibleText(value, 40)}"` : String(value);
  return (typeof value === "string" || typeof value === "number") && text.length <= 32 && !holdsToken(text)
    ? `is ${text}`
    : `is ${typeOf(value)}`;
}

const propertiesOf = (schema: unknown): readonly string[] => {
  const properties = isRecord(schema) ? schema["properties"] : undefined;
  return isRecord(properties) ? Object.keys(properties) : [];
};

const hintOf = (typed: string, known: readonly string[]): string => {
  const near = nearestName(typed, known);
  return near === undefined ? `it takes ${known.join(", ")}` : `did you mean \`${near}\`?`;
};

const join = (path: string, member: string): string =>
  path === "" ? visibleText(member, 60) : `${path}.${visibleText(member, 60)}`;

function choiceHint(data: unknown, schema: unknown): string {
  const names = isRecord(schema) && Array.isArray(schema["enum"]) ? schema["enum"].map(String) : [];
  const near = typeof data === "string" ? nearestName(data, names) : undefined;
  return near === undefined ? "" : `did you mean "${near}"? `;
}

/** One sentence about a schema error: the member, its problem, and the expected value. */
function sentenceOfMistake(error: ErrorObject): string {
  const path = memberPath(error.instancePath);
  const { params, parentSchema, data } = error;
  switch (error.keyword) {
    case "additionalProperties": {
      const member = String(params["additionalProperty"]);
      return `there is no member ${join(path, member)}; ${hintOf(member, propertiesOf(parentSchema))}`;
    }
    case "required":
      return `${path} has no ${String(params["missingProperty"])}, which it needs`;
    case "enum":
      return `${path} ${shownValue(data)}; ${choiceHint(data, parentSchema)}it has to be ${expectedBy(parentSchema)}`;
    case "pattern":
      return error.propertyName === undefined
        ? `${path} has to be ${expectedBy(parentSchema)}`
        : `"${visibleText(error.propertyName, 60)}" in ${path} is no name that can be used there; take letters, digits and hyphens`;
    default:
      return `${path === "" ? "what it exports" : path} ${shownValue(data)}; it has to be ${expectedBy(parentSchema)}`;
  }
}

/** Names of members that users may expect to contain a token. */
const secretMember =
  /^(?:api_?key|authorization|bearer|password|passwd|secret|(?:access_?|auth_?|oauth_?|src_?access_?)?token)$/iu;

interface Member {
  readonly path: string;
  readonly name: string;
  readonly value: unknown;
}

/** No valid member is nested more deeply. */
const maxDepth = 8;

function* membersOf(value: unknown, path = "", depth = 0): Generator<Member> {
  if (typeof value !== "object" || value === null || depth > maxDepth) {
    return;
  }
  for (const [name, inner] of Object.entries(value)) {
    const here = Array.isArray(value) ? `${path}[${name}]` : path === "" ? name : `${path}.${name}`;
    yield { path: here, name, value: inner };
    yield* membersOf(inner, here, depth + 1);
  }
}

/** A header may have any name, since its value is the name of a variable. */
const isHeader = (path: string): boolean => /^targets\.[^.]+\.headers\./u.test(path);

/** A mistake that needs a better sentence than a schema error: the file contains a token. Never quotes a value. */
function secretMistake(value: unknown): string | undefined {
  for (const { path, name, value: inner } of membersOf(value)) {
    const isSecret = typeof inner === "string" && secretMember.test(name) && !isHeader(path);
    if (isSecret || (typeof inner === "string" && holdsToken(inner))) {
      const what = isSecret
        ? `${path}: a token is never written into this file`
        : `${path} holds what looks like a token`;
      return `${what}; name the variable that has it as targets.NAME.tokenVariable, or use tokenFile or tokenCommand`;
    }
  }
  return undefined;
}

function misplacedToken(config: AssayConfig, sections: Sections): string | undefined {
  const members = new Map<string, unknown>(Object.entries(config));
  for (const name of Object.keys(sections)) {
    const section = members.get(name);
    const member = isRecord(section) ? Object.keys(section).find((each) => flagsOfTargets.has(each)) : undefined;
    if (member !== undefined) {
      return member === "target"
        ? `${name}.target cannot be set; name the target of all commands as defaultTarget, or give --target`
        : `${name}.${member} would give a token to any host; write it as targets.NAME.${member === "againstTokenFile" ? "tokenFile" : member}`;
    }
  }
  return undefined;
}

/** Compiled schemas by their text: compiling takes a hundred times as long as checking a configuration. */
const compiled = new Map<string, ValidateFunction>();

function validatorOf(sections: Sections | undefined): ValidateFunction {
  const schema = { ...configSchema(sections ?? {}), additionalProperties: sections === undefined };
  const text = JSON.stringify(schema);
  const before = compiled.get(text);
  // A test checks the schema, so it is not validated in each process.
  const ajv = new Ajv2020({
    allowUnionTypes: true,
    strictTypes: false,
    verbose: true,
    allErrors: true,
    validateSchema: false,
  });
  const validate = before ?? ajv.compile(schema);
  compiled.set(text, validate);
  return validate;
}

function schemaMistake(value: unknown, sections: Sections | undefined): string | undefined {
  const validate = validatorOf(sections);
  if (validate(value)) {
    return undefined;
  }
  // An error about a member is more useful than one about its name, and a mistyped member more useful than a missing one.
  const errors = (validate.errors ?? []).filter(({ keyword }) => keyword !== "propertyNames");
  const first = errors.find(({ keyword }) => keyword === "additionalProperties") ?? errors[0];
  return first === undefined ? "it does not have the shape of a configuration" : sentenceOfMistake(first);
}

function urlMistake({ targets = {} }: AssayConfig): string | undefined {
  for (const [name, { url }] of Object.entries(targets)) {
    try {
      parseBaseUrl(url);
    } catch (error) {
      const why = error instanceof Error ? error.message.replace(/^[a-z-]+: /u, "") : "it is no address";
      return `targets.${name}.url: ${why}`;
    }
  }
  return undefined;
}

function tokenSourceMistake({ targets = {} }: AssayConfig): string | undefined {
  for (const [name, target] of Object.entries(targets)) {
    const given = (["tokenVariable", "tokenFile", "tokenCommand"] as const).filter((key) => target[key] !== undefined);
    if (given.length > 1) {
      return `targets.${name} says more than once where its token is (${given.join(", ")}); keep one`;
    }
  }
  return undefined;
}

function defaultMistake(config: AssayConfig): string | undefined {
  const { defaultTarget, targets = {} } = config;
  return defaultTarget === undefined || Object.hasOwn(targets, defaultTarget)
    ? undefined
    : `defaultTarget: ${unknownTarget(defaultTarget, targets)}`;
}

/** A valid configuration, or its first mistake in words. */
export type CheckedConfig =
  | { readonly config: AssayConfig; readonly mistake?: never }
  | { readonly mistake: string; readonly config?: never };

// The schema is checked first.
const isConfig = (value: unknown): value is AssayConfig => isRecord(value);

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (isRecord(value) && Object.keys(value).length === 0);

/** The mistake of an export as a whole. */
function formMistake(value: unknown): string | undefined {
  if (isEmpty(value)) {
    return "it holds no settings; write `{ … }`, or `export default defineConfig({ … })` where it is a program";
  }
  if (!isRecord(value)) {
    return "it is no object; write `{ … }`, or `export default defineConfig({ … })` where it is a program";
  }
  return Object.hasOwn(value, "extends")
    ? "extends is not followed: nothing is loaded from elsewhere; import the other file and spread it"
    : undefined;
}

/**
 * Checks the export of a configuration file. Sections of commands are checked if `sections` is given; otherwise they only have to be
 * objects. Never quotes a possible secret.
 */
export function checkConfig(value: unknown, sections: Sections | undefined): CheckedConfig {
  const form = formMistake(value);
  if (form !== undefined || !isConfig(value)) {
    return { mistake: form ?? "it is no object" };
  }
  const mistakes = [
    () => secretMistake(value),
    () => misplacedToken(value, sections ?? {}),
    () => schemaMistake(value, sections),
    () => urlMistake(value),
    () => tokenSourceMistake(value),
    () => defaultMistake(value),
  ];
  // In this order: each relies on those before it.
  for (const look of mistakes) {
    const mistake = look();
    if (mistake !== undefined) {
      return { mistake };
    }
  }
  return { config: value };
}
