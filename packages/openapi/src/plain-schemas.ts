import { HarnessError } from "@assay/contract";
import { findBranchNames, findTaggedChoice } from "./discriminator.ts";
import type { TaggedChoice } from "./discriminator.ts";
import { isJsonObject, ownMember } from "./json-object.ts";
import type { JsonObject } from "./json-object.ts";
import { countValues } from "./json-size.ts";
import { SchemaDoubts } from "./schema-doubts.ts";
import { schemaKeywords, schemaListKeywords, schemaMapKeywords, valueKeywords } from "./schema-keywords.ts";
import { SchemaNotes } from "./schema-notes.ts";
import { readList, getSchemaResources } from "./schema-resources.ts";
import type { SchemaResources } from "./schema-resources.ts";
import { convertOpenApi30Schema } from "./schema-of-open-api-30.ts";

/** Keyword that counts followed references. Placed next to the reference, or above the branches of a discriminator. */
export const referenceCounterKeyword = "x-step";

/** The schemas of a document as plain JSON Schema 2020-12, under `$defs`. */
export interface PlainSchemas {
  readonly $defs: JsonObject;
  /** Keys by the name of the root. */
  readonly roots: ReadonlyMap<string, PlainRoot>;
  /** Reports whether `unevaluatedProperties` or `unevaluatedItems` is used. */
  readonly usesUnevaluated: boolean;
  /** Messages about unchecked parts. */
  readonly notes: readonly string[];
}

/** Keys of the copies of one schema in `$defs`. */
export interface PlainRoot {
  /** Key of a copy that accepts every value the schema accepts. */
  readonly lenientKey: string;
  /** Key of a copy that only accepts values the schema accepts. Absent if the first copy is exact. */
  readonly strictKey?: string;
  /** The keywords that cause the difference, sorted. */
  readonly listDoubts: () => readonly string[];
}

/**
 * Copies schemas of a document and the schemas they refer to.
 *
 * Omits everything that does not affect validation: annotations, extensions, unknown keywords and unknown formats (with a note). So a
 * document cannot enable anything except validation. Every reference becomes a reference to a definition, so that no `$id`, anchor or
 * dynamic scope remains. A schema with a keyword that is unsupported or ambiguous is copied twice: the result is certain if both copies
 * agree.
 */
export const copyPlainSchemas = (
  document: JsonObject,
  roots: ReadonlyMap<string, unknown>,
  options: CopyOptions,
): PlainSchemas => new SchemaCopier(document, roots, options).copyAll();

interface CopyOptions {
  readonly knowsFormat: (format: string) => boolean;
  /** Reports whether to insert the counting keyword. */
  readonly countsReferences: boolean;
  /** Remaining number of values to copy. Default: no limit. */
  readonly budget?: { valuesLeft: number } | undefined;
}

/** The kind of copy. A `may` copy may accept too much, a `must` copy may accept too little. */
type Side = "may" | "must";

/** The options for copying a schema. */
interface CopyContext {
  readonly side: Side;
  readonly scope: DynamicScope;
}

/** Targets of dynamic references, by anchor name. Source: JSON Schema 2020-12, section 8.2.3.2. */
interface DynamicScope {
  readonly key: string;
  readonly targets: ReadonlyMap<string, JsonObject>;
}

type Members = readonly (readonly [string, unknown])[];

const selectMembers = (schema: JsonObject, keywords: readonly string[]): Members =>
  keywords.filter((keyword) => Object.hasOwn(schema, keyword)).map((keyword) => [keyword, schema[keyword]]);

/** Replaces some keywords of a schema. */
interface Replacement {
  readonly keywords: readonly string[];
  readonly members?: Members;
  /** Schemas that must all match. */
  readonly parts?: readonly JsonObject[];
}

class SchemaCopier {
  readonly #roots: ReadonlyMap<string, unknown>;
  readonly #options: CopyOptions;
  readonly #resources: SchemaResources;
  readonly #doubts: SchemaDoubts;
  readonly #notes = new SchemaNotes();
  readonly #ids = new Map<unknown, number>();
  /** All copies, one per schema and options. */
  readonly #definitions = new Map<
    string,
    { readonly id: string; readonly schema: unknown; readonly reading: CopyContext }
  >();

  constructor(document: JsonObject, roots: ReadonlyMap<string, unknown>, options: CopyOptions) {
    this.#roots = roots;
    this.#options = options;
    this.#resources = getSchemaResources(document);
    this.#doubts = new SchemaDoubts(this.#resources, roots.values(), options.budget?.valuesLeft);
  }

  copyAll(): PlainSchemas {
    const roots = new Map([...this.#roots].map(([name, schema]) => [name, this.#root(schema)] as const));
    const $defs: Record<string, unknown> = {};
    // The map may grow during iteration, because copying a schema may add more.
    for (const { id, schema, reading } of this.#definitions.values()) {
      $defs[id] = this.#copy(schema, reading);
    }
    return { $defs, roots, usesUnevaluated: this.#doubts.usesUnevaluated, notes: this.#notes.list() };
  }

  #root(schema: unknown): PlainRoot {
    const scope: DynamicScope = { key: "", targets: new Map() };
    const lenientKey = this.#define(schema, { side: "may", scope });
    const listDoubts = (): readonly string[] => this.#doubts.listReachableDoubts(schema);
    return this.#doubts.isDoubtful(schema)
      ? { lenientKey, strictKey: this.#define(schema, { side: "must", scope }), listDoubts }
      : { lenientKey, listDoubts };
  }

  /** Returns the key of the copy of a schema, which is created later if necessary. */
  #define(schema: unknown, reading: CopyContext): string {
    const scope = this.#enter(schema, reading.scope);
    const side = this.#doubts.isDoubtful(schema) ? reading.side : "may";
    const key = `${this.#numberOf(schema)} ${side} ${scope.key}`;
    const known = this.#definitions.get(key);
    if (known !== undefined) {
      return known.id;
    }
    const id = `s${this.#definitions.size}`;
    this.#definitions.set(key, { id, schema, reading: { side, scope } });
    return id;
  }

  /** Returns the dynamic scope inside a schema. The outermost anchor takes precedence. */
  #enter(schema: unknown, scope: DynamicScope): DynamicScope {
    const { dynamicAnchors } = isJsonObject(schema) ? this.#resources.getResource(schema) : this.#resources.document;
    const added = [...dynamicAnchors].filter(
      ([name]) => !scope.targets.has(name) && this.#resources.findAnchorHolders(name).size > 1,
    );
    return added.length === 0
      ? scope
      : {
          key: [scope.key, ...added.map(([name, target]) => `${name}=${this.#numberOf(target)}`)].join(";"),
          targets: new Map([...scope.targets, ...added]),
        };
  }

  #numberOf(schema: unknown): number {
    const number = this.#ids.get(schema) ?? this.#ids.size;
    this.#ids.set(schema, number);
    return number;
  }

  #copy(given: unknown, outer: CopyContext): unknown {
    if (!isJsonObject(given)) {
      return given;
    }
    const reading = { side: outer.side, scope: this.#enter(given, outer.scope) };
    this.#notes.addUnsupported(this.#doubts.unsupported(given));
    if (reading.side === "must" && this.#doubts.isUnsupported(given)) {
      return false;
    }
    if (this.#doubts.isOfOtherDialect(given)) {
      return true;
    }
    const copy = this.#copyKeywords(given, reading);
    return reading.side === "may" && this.#doubts.isLooseNull(given) ? { anyOf: [{ type: "null" }, copy] } : copy;
  }

  #copyKeywords(given: JsonObject, reading: CopyContext): JsonObject {
    const schema = this.#resources.isOpenApi30 ? convertOpenApi30Schema(given) : given;
    this.#notes.addUnknown(schema);
    this.#spend(schema);
    const replaced = this.#replacements(given, schema, reading);
    const replacedKeywords = new Set(replaced.flatMap(({ keywords }) => keywords));
    const rest = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !replacedKeywords.has(keyword)));
    const copied = Object.fromEntries<unknown>([
      ...selectMembers(rest, valueKeywords),
      ...selectMembers(rest, schemaMapKeywords).map(
        ([keyword, map]) => [keyword, this.#copyMap(map, reading)] as const,
      ),
      ...selectMembers(rest, schemaListKeywords).map(
        ([keyword, list]) => [keyword, this.#copyList(list, reading)] as const,
      ),
      ...selectMembers(rest, schemaKeywords).map(
        ([keyword, child]) => [keyword, this.#copy(child, keyword === "not" ? invertSide(reading) : reading)] as const,
      ),
      ...this.#format(rest),
      ...this.#references(given, rest, reading),
      ...replaced.flatMap((replacement) => replacement.members ?? []),
    ]);
    const parts = replaced.flatMap((replacement) => replacement.parts ?? []);
    return parts.length === 0 ? copied : { ...copied, allOf: [...readList(copied, "allOf"), ...parts] };
  }

  /** Expresses keywords that ajv treats differently with other keywords. */
  #replacements(given: JsonObject, schema: JsonObject, reading: CopyContext): readonly Replacement[] {
    const contains = this.#contains(schema, reading);
    return [
      ...this.#required(given, schema, reading),
      ...this.#choice(schema, reading),
      ...this.#condition(schema, reading),
      ...(contains.length > 0 ? contains : this.#besidePrefix(schema, reading)),
      ...this.#dynamicReference(given, reading),
      // In the `must` copy, such a schema accepts nothing.
      ...(this.#doubts.isUnsupported(given) ? [{ keywords: unsupportedKeywords }] : []),
    ];
  }

  #required(given: JsonObject, schema: JsonObject, { side }: CopyContext): readonly Replacement[] {
    const required = ownMember(schema, "required");
    if (!Array.isArray(required)) {
      return [];
    }
    const isDemanded = (name: unknown): boolean => {
      const demand = this.#doubts.classifyRequirement(given, name);
      return demand === "yes" || (demand === "unclear" && side === "must");
    };
    return [{ keywords: ["required"], members: [["required", required.filter(isDemanded)]] }];
  }

  #choice(schema: JsonObject, reading: CopyContext): readonly Replacement[] {
    const tagged = findTaggedChoice(schema, this.#resources);
    if (tagged !== undefined && !tagged.isExclusive) {
      return [this.#tagged(schema, tagged, reading)];
    }
    const branches = readList(schema, "oneOf");
    if (branches.some((branch) => this.#doubts.isDoubtful(branch))) {
      return [{ keywords: ["oneOf"], parts: [this.#exactlyOne(branches, reading)] }];
    }
    const isForObjects = ["object", undefined].some((type) => ownMember(schema, "type") === type);
    return tagged?.keyword === "oneOf" && isForObjects ? [this.#decided(tagged, reading)] : [];
  }

  /** ajv checks the tag of objects only. Each branch is for objects only, so other values match none. */
  #decided({ tag, branches }: TaggedChoice, reading: CopyContext): Replacement {
    const oneOf = branches.map((branch) =>
      isJsonObject(branch) && Object.hasOwn(branch, "$ref")
        ? { $ref: this.#reference(branch, String(branch["$ref"]), reading) }
        : this.#copy(branch, reading),
    );
    // ajv only supports branches that are plain references, so count the step above them.
    return {
      keywords: ["oneOf", "type"],
      members: [["type", "object"], ["oneOf", oneOf], ["discriminator", { propertyName: tag }], ...this.#step()],
    };
  }

  /**
   * Literally, a discriminator has no effect in OpenAPI 3.1.1. In 3.0.3 it selects the branch, and a value that names none should fail. A
   * value is certainly valid if it is valid under both readings.
   */
  #tagged(schema: JsonObject, { keyword, tag, branches }: TaggedChoice, reading: CopyContext): Replacement {
    const naming = { schema, resources: this.#resources, isStrict: reading.side === "must" };
    const picked = branches
      .map((branch) => ({ branch, names: findBranchNames(branch, naming) }))
      .filter(({ names }) => names.length > 0)
      .map(({ branch, names }) => ({
        required: [tag],
        properties: { [tag]: { enum: [...new Set(names)] } },
        ...this.#refer(branch, reading),
      }));
    const plain =
      keyword === "oneOf" ? this.#exactlyOne(branches, reading) : { anyOf: this.#referAll(branches, reading) };
    const alternatives = [plain, picked.length === 0 ? { not: {} } : { anyOf: picked }];
    return { keywords: [keyword], parts: [reading.side === "may" ? { anyOf: alternatives } : { allOf: alternatives }] };
  }

  /** Exactly one branch matches, even if it is unknown which. */
  #exactlyOne(branches: readonly unknown[], { side, scope }: CopyContext): JsonObject {
    const lenientKey = this.#referAll(branches, { side: "may", scope });
    if (!branches.some((branch) => this.#doubts.isDoubtful(branch))) {
      return { oneOf: lenientKey };
    }
    const must = this.#referAll(branches, { side: "must", scope });
    return side === "must"
      ? { oneOf: lenientKey, anyOf: must }
      : { allOf: [{ anyOf: lenientKey }, { anyOf: [{ oneOf: must }, { not: { anyOf: must } }] }] };
  }

  /**
   * An ambiguous condition must not decide. ajv treats the members in a condition as evaluated even if it is false, but handles a choice
   * correctly.
   */
  #condition(schema: JsonObject, reading: CopyContext): readonly Replacement[] {
    const condition = ownMember(schema, "if");
    const isDoubtful = this.#doubts.isDoubtful(condition);
    if (condition === undefined || !(isDoubtful || this.#doubts.usesUnevaluated)) {
      return [];
    }
    const [held, missed] = ["then", "else"].map((keyword) => this.#refer(ownMember(schema, keyword) ?? true, reading));
    const isHeld = this.#refer(condition, reading);
    const isMissed = { not: this.#refer(condition, invertSide(reading)) };
    const parts = isDoubtful
      ? [{ anyOf: [isMissed, held] }, { anyOf: [isHeld, missed] }, { anyOf: [held, missed] }]
      : [{ anyOf: [{ allOf: [isHeld, held] }, { allOf: [isMissed, missed] }] }];
    return [{ keywords: ["if", "then", "else"], parts }];
  }

  /** With an upper bound, more matching elements are worse. */
  #contains(schema: JsonObject, reading: CopyContext): readonly Replacement[] {
    const contained = ownMember(schema, "contains");
    if (this.#doubts.isDoubtful(contained) && Object.hasOwn(schema, "maxContains")) {
      const { minContains = 1, maxContains } = schema;
      const parts = [
        { contains: this.#refer(contained, reading), minContains },
        { contains: this.#refer(contained, invertSide(reading)), minContains: 0, maxContains },
      ];
      return [{ keywords: containsKeywords, parts }];
    }
    return [];
  }

  /** ajv ignores these keywords if a list is shorter than an adjacent `prefixItems`. */
  #besidePrefix(schema: JsonObject, reading: CopyContext): readonly Replacement[] {
    const apart = Object.hasOwn(schema, "prefixItems") ? [["uniqueItems"], containsKeywords] : [];
    return apart
      .map((keywords) => ({ keywords, found: selectMembers(schema, keywords) }))
      .filter(({ found }) => found.length > 0)
      .map(({ keywords, found }) => ({
        keywords,
        parts: [Object.fromEntries(found.map(([keyword, content]) => [keyword, this.#copy(content, reading)]))],
      }));
  }

  #copyMap(map: unknown, reading: CopyContext): unknown {
    return isJsonObject(map)
      ? Object.fromEntries(Object.entries(map).map(([name, child]) => [name, this.#copy(child, reading)]))
      : map;
  }

  #copyList(list: unknown, reading: CopyContext): unknown {
    return Array.isArray(list) ? list.map((child: unknown) => this.#copy(child, reading)) : list;
  }

  #format(schema: JsonObject): Members {
    const format = ownMember(schema, "format");
    if (typeof format !== "string" || this.#options.knowsFormat(format)) {
      return selectMembers(schema, ["format"]);
    }
    this.#notes.addUnknownFormat(format);
    return [];
  }

  #references(given: JsonObject, schema: JsonObject, reading: CopyContext): Members {
    const target = ownMember(schema, "$ref");
    return typeof target === "string"
      ? [["$ref", this.#reference(given, target, reading)], ...this.#step()]
      : selectMembers(schema, ["$ref"]);
  }

  #dynamicReference(given: JsonObject, reading: CopyContext): readonly Replacement[] {
    const reference = ownMember(given, "$dynamicRef");
    if (typeof reference !== "string" || this.#doubts.isUnsupported(given)) {
      return [];
    }
    const targets = this.#doubts.dynamicTargets(given, reference) ?? new Set();
    const name = reference.slice(reference.indexOf("#") + 1);
    const target = targets.size > 1 ? reading.scope.targets.get(name) : [...targets][0];
    const part = this.#refer(target ?? this.#resources.resolve(given, reference), reading);
    return [{ keywords: ["$dynamicRef"], parts: [part] }];
  }

  #reference(from: JsonObject, reference: string, reading: CopyContext): string {
    return `#/$defs/${this.#define(this.#resources.resolve(from, reference), reading)}`;
  }

  /** Returns a schema that only refers to the copy of `schema`. */
  #refer(schema: unknown, reading: CopyContext): JsonObject {
    return { $ref: `#/$defs/${this.#define(schema, reading)}`, ...Object.fromEntries(this.#step()) };
  }

  #referAll(schemas: readonly unknown[], reading: CopyContext): readonly JsonObject[] {
    return schemas.map((schema) => this.#refer(schema, reading));
  }

  #step(): Members {
    return this.#options.countsReferences ? [[referenceCounterKeyword, true]] : [];
  }

  #spend(schema: JsonObject): void {
    const { budget } = this.#options;
    if (budget !== undefined) {
      budget.valuesLeft -=
        Object.keys(schema).length + countValues(selectMembers(schema, valueKeywords), budget.valuesLeft);
      if (budget.valuesLeft < 0) {
        throw new HarnessError("too-expensive", "its schemas contain too many values");
      }
    }
  }
}

/** The possible reasons for an unsupported schema. At least one of these keywords applies. */
const unsupportedKeywords = ["$dynamicRef", "unevaluatedItems", "unevaluatedProperties"] as const;

const containsKeywords = ["contains", "minContains", "maxContains"] as const;

const invertSide = ({ side, scope }: CopyContext): CopyContext => ({ side: side === "may" ? "must" : "may", scope });
