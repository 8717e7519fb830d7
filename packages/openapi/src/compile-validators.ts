import { HarnessError } from "@assay/contract";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { CodeOptions, ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { fullFormats } from "ajv-formats/dist/formats.js";
import type { JsonObject } from "./json-object.ts";
import { isJsonObject, ownObject } from "./json-object.ts";
import { compileLinearPattern } from "./linear-pattern/linear-pattern.ts";
import { copyPlainSchemas, referenceCounterKeyword } from "./plain-schemas.ts";
import type { PlainRoot } from "./plain-schemas.ts";
import { hasUniqueItems } from "./unique-items.ts";
import { createValidator, withHarnessErrors } from "./validator.ts";
import type { Validator } from "./validator.ts";

/** Options for compiling schemas. */
export interface CompileOptions {
  /** Receives a message about each unchecked part, such as an unknown format. */
  readonly onNote?: (note: string) => void;
  /**
   * `foreign` (default) runs patterns in linear time and counts references, so that no document can make a check run for too long. `own`
   * trusts the document to be correct and cheap: each schema is compiled on first use, and an error is thrown then.
   */
  readonly trust?: "own" | "foreign";
  /** Remaining number of values in the schemas to compile [no limit]. Throws `too-expensive` if it is exceeded. */
  readonly budget?: { valuesLeft: number };
}

/** Maximum number of references that one check of a foreign document may follow, which takes about a second. */
export const maxReferencesPerCheck = 5_000_000;

/** ajv requires the name under which generated code would use the engine. No code is generated here. */
const linearPatternEngine = Object.assign((pattern: string) => compileLinearPattern(pattern), {
  code: "linearPattern",
});

const documentId = "assay:document";

/** Returns the reference to a copy of a schema, by its key. */
export const schemaReference = (key: string): string => `${documentId}#/$defs/${key}`;

/**
 * Compiles every schema under `components.schemas`, by name. Synchronous. Does not read files, so the document must contain everything it
 * refers to (see `findStrayReference`). Throws a `HarnessError`: `cannot-compile`, `unsafe-pattern` or `unresolved-reference`. `check` and
 * `errors` throw `too-deep` or `too-expensive` for values that cannot be validated within the limits. Such a value may be valid or invalid.
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

/** The schemas of a document in two ajv instances: one stops at the first error, the other collects errors. */
export class SchemaLibrary {
  readonly #schema: JsonObject;
  readonly #trust: "own" | "foreign";
  readonly #usesUnevaluated: boolean;
  readonly #budget = { referencesLeft: 0 };
  #firstErrorAjv: Ajv2020 | undefined;
  #allErrorsAjv: Ajv2020 | undefined;

  readonly roots: ReadonlyMap<string, PlainRoot>;

  constructor(
    document: JsonObject,
    schemas: ReadonlyMap<string, unknown>,
    { onNote, trust = "foreign", budget }: CompileOptions,
  ) {
    this.#trust = trust;
    const { $defs, roots, usesUnevaluated, notes } = withHarnessErrors(() =>
      copyPlainSchemas(document, schemas, {
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

  validator({ lenientKey, strictKey, listDoubts }: PlainRoot): Validator {
    return createValidator({
      firstError: this.#lazily(() => this.#compileFirstError(lenientKey)),
      allErrors: () => this.#compileAllErrors(lenientKey),
      ...(strictKey === undefined ? {} : { strict: this.#lazily(() => this.#compileFirstError(strictKey)) }),
      listDoubts,
      onRun: () => {
        this.#budget.referencesLeft = maxReferencesPerCheck;
      },
    });
  }

  /** Compiles foreign schemas immediately, because that may fail. */
  #lazily(compile: () => ValidateFunction): () => ValidateFunction {
    let compiled = this.#trust === "own" ? undefined : compile();
    return () => (compiled ??= compile());
  }

  /** Stops at the first error. */
  #compileFirstError(key: string): ValidateFunction {
    this.#firstErrorAjv ??= this.createAjv(false);
    return this.#compile(this.#firstErrorAjv, key);
  }

  #compileAllErrors(key: string): ValidateFunction {
    this.#allErrorsAjv ??= this.createAjv(true);
    return this.#compile(this.#allErrorsAjv, key);
  }

  #compile(ajv: Ajv2020, key: string): ValidateFunction {
    const check = withHarnessErrors(() => ajv.getSchema(schemaReference(key)));
    if (check === undefined) {
      throw new HarnessError("cannot-compile", `the schema \`${key}\` was not compiled`);
    }
    return check;
  }

  /** Creates an instance with all schemas. With `code`, it can print the functions that it generates. */
  createAjv(allErrors: boolean, code?: CodeOptions): Ajv2020 {
    const ownProperties = namesInheritedMember(this.#schema);
    const ajv = new Ajv2020({
      allErrors,
      discriminator: true,
      // With inlining, ajv checks whether a schema can replace a reference. The cost doubles with each nested list.
      inlineRefs: this.#trust === "own",
      logger: false,
      ownProperties,
      // The meta-schema below validates foreign schemas.
      validateSchema: false,
      strict: this.#trust === "own",
      allowUnionTypes: true,
      code: code ?? (this.#trust === "own" ? {} : { regExp: linearPatternEngine }),
    });
    // Tracking evaluated members is slow and makes some checks throw, so enable it only for schemas that need it.
    ajv.opts.unevaluated = this.#usesUnevaluated;
    addFormats.default(ajv);
    this.#addKeywords(ajv);
    withHarnessErrors(() => {
      if (this.#trust === "foreign") {
        metaSchemas.validate(this.#schema, ownProperties);
      }
      ajv.addSchema(this.#schema);
    });
    return ajv;
  }

  #addKeywords(ajv: Ajv2020): void {
    addUniqueItems(ajv);
    ajv.addKeyword(
      this.#trust === "own"
        ? { keyword: referenceCounterKeyword, schemaType: "boolean" }
        : {
            keyword: referenceCounterKeyword,
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
    validate: (isRequired: boolean, items: readonly unknown[]) => !isRequired || hasUniqueItems(items),
    error: { message: "must not have equal elements" },
  });
};

/** The meta-schema, compiled once for all documents, because compiling it takes longer than compiling most of them. */
class MetaSchemas {
  readonly #compiled = new Map<boolean, Ajv2020>();

  /** Throws if schemas do not match the meta-schema. */
  validate(schemas: JsonObject, ownProperties: boolean): void {
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
 * Reports whether schemas contain the name of a member that every JavaScript object inherits, such as `toString`. Only then must ajv check
 * for own members, which is three times as slow. For values from `JSON.parse` the results are otherwise the same.
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
