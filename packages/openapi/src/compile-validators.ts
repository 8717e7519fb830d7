import { HarnessError, isHarnessError } from "@assay/contract";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { fullFormats } from "ajv-formats/dist/formats.js";
import type { JsonObject } from "./json-object.ts";
import { isJsonObject, ownObject } from "./json-object.ts";
import { hasMoreValuesThan } from "./json-size.ts";
import { linearPattern } from "./linear-pattern/linear-pattern.ts";
import { plainSchemas, stepKeyword } from "./plain-schemas.ts";
import type { PlainRoot } from "./plain-schemas.ts";
import type { SchemaError } from "./schema-error.ts";
import { schemaErrors } from "./schema-error.ts";
import { hasUniqueItems } from "./unique-items.ts";

/** Validates parsed JSON against one schema. Values must come from `JSON.parse`. */
export interface Validator {
  /** Reports whether `value` is valid. Stops at the first error; made for hot paths. */
  check(value: unknown): boolean;
  /** Up to 20 errors, none for a valid value. For a value with more than 20,000 parts only the first one. */
  errors(value: unknown): readonly SchemaError[];
  /**
   * The keywords, sorted, that leave the validity of a value without errors open: unsupported ones, and those with two
   * meanings. Empty if the value is certainly valid.
   */
  doubts(value: unknown): readonly string[];
}

/** How schemas are compiled. */
export interface CompileOptions {
  /** Receives a sentence for each thing that is not checked, such as an unknown format. */
  readonly onNote?: (note: string) => void;
  /**
   * `foreign` (default) runs patterns in linear time and counts references, so that no document can keep a check busy. `own`
   * trusts the document to be correct and cheap: each schema is compiled on first use, and throws then if it cannot be.
   */
  readonly trust?: "own" | "foreign";
  /** Maximum number of values in the schemas, reduced by those compiled. Throws `too-expensive` beyond it [no limit]. */
  readonly budget?: { valuesLeft: number };
}

/** Maximum number of references that one check of a foreign document follows: about a second. */
export const maxReferencesPerCheck = 5_000_000;

/** ajv needs the name that generated code would use for the engine. No code is generated here. */
const linearEngine = Object.assign((pattern: string) => linearPattern(pattern), { code: "linearPattern" });

const documentId = "assay:document";
const maxValuesForAllErrors = 20_000;

/**
 * Compiles every schema under `components.schemas`, by name. Synchronous; reads nothing, so the document must contain
 * everything it refers to (see `strayReference`). Throws a `HarnessError`: `cannot-compile`, `unsafe-pattern` or
 * `unresolved-reference`. `check` and `errors` throw `too-deep` or `too-expensive` for values that cannot be validated
 * within the limits. That says nothing about the value.
 */
export const compileValidators = (document: JsonObject, options: CompileOptions = {}): ReadonlyMap<string, Validator> =>
  compileRoots(document, new Map(Object.entries(ownObject(ownObject(document, "components"), "schemas"))), options);

/** Like `compileValidators`, for schemas anywhere in a document and the schemas they refer to. */
export const compileRoots = (
  document: JsonObject,
  schemas: ReadonlyMap<string, unknown>,
  options: CompileOptions = {},
): ReadonlyMap<string, Validator> => {
  const library = new SchemaLibrary(document, schemas, options);
  return new Map([...library.roots].map(([name, root]) => [name, library.validator(root)]));
};

/** The schemas of a document in ajv, twice: one instance stops at the first error, the other collects errors. */
class SchemaLibrary {
  readonly #schema: JsonObject;
  readonly #trust: "own" | "foreign";
  readonly #usesUnevaluated: boolean;
  readonly #budget = { referencesLeft: 0 };
  #first: Ajv2020 | undefined;
  #all: Ajv2020 | undefined;

  readonly roots: ReadonlyMap<string, PlainRoot>;

  constructor(
    document: JsonObject,
    schemas: ReadonlyMap<string, unknown>,
    { onNote, trust = "foreign", budget }: CompileOptions,
  ) {
    this.#trust = trust;
    const { $defs, roots, usesUnevaluated, notes } = asDocumentError(() =>
      plainSchemas(document, schemas, {
        budget,
        knowsFormat: (format) => Object.hasOwn(fullFormats, format),
        countsReferences: trust === "foreign",
      }),
    );
    this.#schema = { $id: documentId, $defs };
    this.roots = roots;
    this.#usesUnevaluated = usesUnevaluated;
    for (const note of notes) {
      onNote?.(note);
    }
  }

  validator({ may, must, doubts }: PlainRoot): Validator {
    const first = this.#kept(() => this.#stopping(may));
    const sure = must === undefined ? undefined : this.#kept(() => this.#stopping(must));
    const run = (check: ValidateFunction, value: unknown): boolean => {
      this.#budget.referencesLeft = maxReferencesPerCheck;
      return asDocumentError(() => check(value), "too-deep");
    };
    return {
      check: (value) => run(first(), value),
      errors: (value) => {
        if (run(first(), value)) {
          return [];
        }
        const isFirstOnly = hasMoreValuesThan(value, maxValuesForAllErrors);
        const check = isFirstOnly ? first() : this.#collecting(may);
        run(check, value);
        return schemaErrors(check.errors ?? [], isFirstOnly);
      },
      doubts: (value) => (sure === undefined || run(sure(), value) ? [] : doubts()),
    };
  }

  /** Compiles foreign schemas at once, because that may fail. */
  #kept(compile: () => ValidateFunction): () => ValidateFunction {
    let compiled = this.#trust === "own" ? undefined : compile();
    return () => (compiled ??= compile());
  }

  /** Stops at the first error. */
  #stopping(key: string): ValidateFunction {
    this.#first ??= this.#ajv(false);
    return this.#compile(this.#first, key);
  }

  #collecting(key: string): ValidateFunction {
    this.#all ??= this.#ajv(true);
    return this.#compile(this.#all, key);
  }

  #compile(ajv: Ajv2020, key: string): ValidateFunction {
    const check = asDocumentError(() => ajv.getSchema(`${documentId}#/$defs/${key}`));
    if (check === undefined) {
      throw new HarnessError("cannot-compile", `the schema \`${key}\` has no compiled form`);
    }
    return check;
  }

  #ajv(allErrors: boolean): Ajv2020 {
    const ownProperties = namesInheritedMember(this.#schema);
    const ajv = new Ajv2020({
      allErrors,
      discriminator: true,
      // With inlining, ajv checks whether a schema can replace a reference, at a cost that doubles with each nested list.
      inlineRefs: this.#trust === "own",
      logger: false,
      ownProperties,
      // Foreign schemas are validated by the meta-schema below.
      validateSchema: false,
      strict: this.#trust === "own",
      allowUnionTypes: true,
      ...(this.#trust === "own" ? {} : { code: { regExp: linearEngine } }),
    });
    // Tracking evaluated members takes time and makes some checks throw, so only do it for schemas that need it.
    ajv.opts.unevaluated = this.#usesUnevaluated;
    addFormats.default(ajv);
    this.#addKeywords(ajv);
    asDocumentError(() => {
      if (this.#trust === "foreign") {
        metaSchemas.hold(this.#schema, ownProperties);
      }
      ajv.addSchema(this.#schema);
    });
    return ajv;
  }

  #addKeywords(ajv: Ajv2020): void {
    addUniqueItems(ajv);
    ajv.addKeyword(
      this.#trust === "own"
        ? { keyword: stepKeyword, schemaType: "boolean" }
        : {
            keyword: stepKeyword,
            schemaType: "boolean",
            before: "$ref",
            errors: false,
            validate: this.#countReference,
          },
    );
  }

  readonly #countReference = (): boolean => {
    this.#budget.referencesLeft -= 1;
    if (this.#budget.referencesLeft < 0) {
      throw new HarnessError("too-expensive", "the schemas of the OpenAPI document refer to each other too often");
    }
    return true;
  };
}

/** Replaces ajv's keyword, which compares every pair of elements. */
const addUniqueItems = (ajv: Ajv2020): void => {
  ajv.removeKeyword("uniqueItems");
  ajv.addKeyword({
    keyword: "uniqueItems",
    type: "array",
    schemaType: "boolean",
    validate: (wanted: boolean, items: readonly unknown[]) => !wanted || hasUniqueItems(items),
    error: { message: "must not have equal elements" },
  });
};

/** The meta-schema, compiled once for all documents: compiling it takes longer than compiling most of them. */
class MetaSchemas {
  readonly #compiled = new Map<boolean, Ajv2020>();

  /** Throws if schemas do not match the meta-schema. */
  hold(schemas: JsonObject, ownProperties: boolean): void {
    const ajv = this.#compiled.get(ownProperties) ?? this.#compile(ownProperties);
    if (ajv.validateSchema(schemas) !== true) {
      throw new Error(`schema is invalid: ${ajv.errorsText()}`);
    }
  }

  #compile(ownProperties: boolean): Ajv2020 {
    const ajv = new Ajv2020({ logger: false, ownProperties });
    addFormats.default(ajv);
    addUniqueItems(ajv);
    this.#compiled.set(ownProperties, ajv);
    return ajv;
  }
}

const metaSchemas = new MetaSchemas();

/**
 * Reports whether schemas name a member that every JavaScript object inherits, such as `toString`. Only then must ajv check for own
 * members, which is three times as slow. For values from `JSON.parse` the results are otherwise equal.
 */
const namesInheritedMember = (schema: unknown): boolean => {
  const inherited = new Set(Object.getOwnPropertyNames(Object.prototype));
  const pending: unknown[] = [schema];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next === "string" && inherited.has(next)) {
      return true;
    }
    if (isJsonObject(next) && Object.keys(next).some((key) => inherited.has(key))) {
      return true;
    }
    const children: readonly unknown[] = typeof next === "object" && next !== null ? Object.values(next) : [];
    for (const child of children) {
      pending.push(child);
    }
  }
  return false;
};

/** Runs `work` and converts everything it throws to a `HarnessError`: `whenTooDeep` for an exhausted stack. */
const asDocumentError = <T>(work: () => T, whenTooDeep: "too-deep" | "cannot-compile" = "cannot-compile"): T => {
  try {
    return work();
  } catch (cause) {
    if (isHarnessError(cause)) {
      throw cause;
    }
    if (cause instanceof RangeError) {
      throw new HarnessError(whenTooDeep, "a schema or a value nests too deeply, or a schema refers to itself", {
        cause,
      });
    }
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new HarnessError(
      "cannot-compile",
      `a schema of the OpenAPI document cannot be compiled: ${reason.slice(0, 300)}`,
      {
        cause,
      },
    );
  }
};
