import { HarnessError } from "@assay/contract";
import { findTaggedChoice } from "./discriminator.ts";
import { isJsonObject, ownMember, ownObject } from "./json-object.ts";
import type { JsonObject } from "./json-object.ts";
import {
  foreignKeywords,
  inPlaceKeywords,
  schemaKeywords,
  schemaListKeywords,
  schemaMapKeywords,
} from "./schema-keywords.ts";
import { readList } from "./schema-resources.ts";
import type { SchemaResources } from "./schema-resources.ts";

/** Finds unsupported and ambiguous keywords, and the schemas that depend on them. A document without any is validated unchanged. */
export class SchemaDoubts {
  readonly #resources: SchemaResources;
  readonly #parents = new Map<JsonObject, JsonObject[]>();
  readonly #children = new Map<JsonObject, readonly unknown[]>();
  readonly #requestMembers = new Set<string>();
  readonly #doubtful = new Set<JsonObject>();
  readonly #unsupportedIn = new Map<JsonObject, readonly string[]>();

  /** Reports whether a schema has `unevaluatedProperties` or `unevaluatedItems`, so that evaluated members matter. */
  usesUnevaluated = false;

  /** Analyzes `roots` and everything they refer to. Throws a `HarnessError` (`too-expensive`) beyond `maxSchemas`. */
  constructor(resources: SchemaResources, roots: Iterable<unknown>, maxSchemas = Number.POSITIVE_INFINITY) {
    this.#resources = resources;
    this.#walk([...roots], maxSchemas);
    const doubtful = [...this.#children.keys()].filter((schema) => this.listDoubts(schema).length > 0);
    for (let next = doubtful.pop(); next !== undefined; next = doubtful.pop()) {
      if (!this.#doubtful.has(next)) {
        this.#doubtful.add(next);
        for (const parent of this.#parents.get(next) ?? []) {
          doubtful.push(parent);
        }
      }
    }
  }

  /** Returns the uncertain keywords of the schema itself. */
  listDoubts(schema: JsonObject): readonly string[] {
    if (this.#isReferenceOf30(schema)) {
      return this.isLooseNull(schema) ? ["nullable"] : [];
    }
    const choice = findTaggedChoice(schema, this.#resources);
    return [
      ...this.unsupported(schema),
      ...(choice === undefined || choice.isExclusive ? [] : ["discriminator"]),
      ...(this.isLooseNull(schema) ? ["nullable"] : []),
      ...(readList(schema, "required").some((name) => this.classifyRequirement(schema, name) === "unclear")
        ? ["writeOnly"]
        : []),
    ];
  }

  /** Reports whether a schema has an unsupported keyword, so that its own result is unknown. */
  isUnsupported(schema: JsonObject): boolean {
    return this.unsupported(schema).length > 0 || (hasUnevaluated(schema) && this.isDoubtful(schema));
  }

  /** Reports whether the result of a schema may depend on an uncertain keyword. */
  isDoubtful(schema: unknown): boolean {
    return isJsonObject(schema) && this.#doubtful.has(schema);
  }

  /** Returns the uncertain keywords that the result of a schema may depend on, sorted. */
  listReachableDoubts(root: unknown): readonly string[] {
    const keywords = new Set<string>();
    const visited = new Set<unknown>();
    const pending: unknown[] = [root];
    while (pending.length > 0) {
      const next = pending.pop();
      if (!isJsonObject(next) || !this.isDoubtful(next) || visited.has(next)) {
        continue;
      }
      visited.add(next);
      for (const keyword of this.listDoubts(next)) {
        keywords.add(keyword);
      }
      for (const child of this.#children.get(next) ?? []) {
        pending.push(child);
      }
    }
    return [...keywords].toSorted();
  }

  /** Reports whether a schema uses a dialect other than OpenAPI's. */
  isOfOtherDialect(schema: JsonObject): boolean {
    const { dialect } = this.#resources.getResource(schema);
    return !this.#resources.isOpenApi30 && !isSupportedDialect(ownMember(schema, "$schema") ?? dialect);
  }

  /**
   * Returns the possible targets of a dynamic reference: one schema, or one per resource from which it is followed. Returns undefined if it
   * is ambiguous.
   */
  dynamicTargets(schema: JsonObject, reference: string): ReadonlySet<unknown> | undefined {
    const initial = this.#resources.find(schema, reference);
    const name = reference.slice(reference.indexOf("#") + 1);
    if (!isJsonObject(initial) || ownMember(initial, "$dynamicAnchor") !== name) {
      return initial === undefined ? undefined : new Set([initial]);
    }
    const holders = [...this.#resources.findAnchorHolders(name)];
    // The document is not a schema resource, so it is unclear whether schemas outside any `$id` are in the dynamic scope.
    const isAmbiguous = holders.length > 1 && holders.includes(this.#resources.document);
    const targets = new Set(holders.map(({ dynamicAnchors }) => dynamicAnchors.get(name)));
    return isAmbiguous || holders.some(({ repeatedNames }) => repeatedNames.has(name)) ? undefined : targets;
  }

  /**
   * Reports whether `nullable` of OpenAPI 3.0 has no effect literally, because another keyword forbids null. Authors intend to allow null.
   * Source: OpenAPI 3.0.3, section 4.7.24.
   */
  isLooseNull(schema: JsonObject): boolean {
    const forbids = (keyword: string): boolean => Object.hasOwn(schema, keyword);
    const listed = ownMember(schema, "enum");
    return (
      this.#resources.isOpenApi30 &&
      ownMember(schema, "nullable") === true &&
      (["$ref", "const", "allOf", "anyOf", "oneOf", "not"].some(forbids) ||
        (Array.isArray(listed) && !listed.includes(null)))
    );
  }

  /**
   * Reports whether a response must contain a member listed in `required`. Members marked as request-only are not needed. If the mark is in
   * a different schema, the result is uncertain. Source: OpenAPI 3.1.0, section 4.8.24.
   */
  classifyRequirement(schema: JsonObject, name: unknown): "yes" | "no" | "unclear" {
    const property = ownMember(ownObject(schema, "properties"), String(name));
    if (property !== undefined) {
      return this.#isForRequests(property) ? "no" : "yes";
    }
    return this.#requestMembers.has(String(name)) ? "unclear" : "yes";
  }

  /** Returns the keywords of the schema itself that are used in an unsupported way. */
  unsupported(schema: JsonObject): readonly string[] {
    const known = this.#unsupportedIn.get(schema) ?? this.#findUnsupported(schema);
    this.#unsupportedIn.set(schema, known);
    return known;
  }

  #dialectKeyword(schema: JsonObject): string {
    const { dialect } = this.#resources.document;
    return ownMember(schema, "$schema") === undefined && this.#resources.getResource(schema).dialect === dialect
      ? "jsonSchemaDialect"
      : "$schema";
  }

  #findUnsupported(schema: JsonObject): readonly string[] {
    const reference = ownMember(schema, "$dynamicRef");
    const isAmbiguous = typeof reference === "string" && this.dynamicTargets(schema, reference) === undefined;
    return [
      ...foreignKeywords.filter((keyword) => Object.hasOwn(schema, keyword)),
      ...(this.isOfOtherDialect(schema) ? [this.#dialectKeyword(schema)] : []),
      ...(isAmbiguous ? ["$dynamicRef"] : []),
      // ajv treats some items as evaluated that are not, and vice versa.
      ...(Object.hasOwn(schema, "unevaluatedItems") &&
      evaluatingKeywords.some((keyword) => Object.hasOwn(schema, keyword))
        ? ["unevaluatedItems"]
        : []),
    ];
  }

  /** In OpenAPI 3.0 a reference ignores its siblings. */
  #isReferenceOf30(schema: JsonObject): boolean {
    return this.#resources.isOpenApi30 && typeof ownMember(schema, "$ref") === "string";
  }

  #targets(schema: JsonObject): readonly unknown[] {
    const [plain, dynamic] = ["$ref", "$dynamicRef"].map((keyword) => ownMember(schema, keyword));
    return [
      ...(typeof plain === "string" ? [this.#resources.find(schema, plain)] : []),
      ...(typeof dynamic === "string" ? (this.dynamicTargets(schema, dynamic) ?? []) : []),
    ];
  }

  #childrenOf(schema: JsonObject): readonly unknown[] {
    return this.#isReferenceOf30(schema)
      ? this.#targets(schema)
      : [
          ...listSchemasUnder(schema, [...schemaMapKeywords, ...schemaListKeywords, ...schemaKeywords]),
          ...this.#targets(schema),
        ];
  }

  #walk(pending: unknown[], maxSchemas: number): void {
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (!isJsonObject(next) || this.#children.has(next)) {
        continue;
      }
      if (this.#children.size + pending.length > maxSchemas) {
        throw new HarnessError("too-expensive", `its schemas contain more than ${maxSchemas} values`);
      }
      const children = this.#childrenOf(next);
      this.#children.set(next, children);
      this.usesUnevaluated ||= hasUnevaluated(next);
      for (const [name, property] of Object.entries(ownObject(next, "properties"))) {
        if (this.#isForRequests(property)) {
          this.#requestMembers.add(name);
        }
      }
      for (const child of children.filter(isJsonObject)) {
        const parents = this.#parents.get(child) ?? [];
        parents.push(next);
        this.#parents.set(child, parents);
        pending.push(child);
      }
    }
  }

  /** The mark may be next to a reference, which 3.1 allows, or in its target. */
  #isForRequests(property: unknown): boolean {
    let schema = property;
    for (let step = 0; step < maxReferenceSteps && isJsonObject(schema); step += 1) {
      if (ownMember(schema, "writeOnly") === true) {
        return true;
      }
      const reference = ownMember(schema, "$ref");
      schema = typeof reference === "string" ? this.#resources.find(schema, reference) : undefined;
    }
    return false;
  }
}

const maxReferenceSteps = 20;

const hasUnevaluated = (schema: JsonObject): boolean =>
  ["unevaluatedItems", "unevaluatedProperties"].some((keyword) => Object.hasOwn(schema, keyword));

/** Keywords other than `items` and `prefixItems` that evaluate elements of a list. */
const evaluatingKeywords = [...inPlaceKeywords, "contains", "$ref", "$dynamicRef"] as const;

const isSupportedDialect = (dialect: unknown): boolean =>
  typeof dialect !== "string" ||
  /^https:\/\/(?:json-schema\.org\/draft\/2020-12\/schema|spec\.openapis\.org\/oas\/3\.\d\/dialect\/[\w-]+)#?$/.test(
    dialect,
  );

/** Returns the schemas under some keywords of a schema. */
const listSchemasUnder = (schema: JsonObject, keywords: readonly string[]): readonly unknown[] =>
  keywords.flatMap((keyword): readonly unknown[] => {
    const value = ownMember(schema, keyword);
    const isMap = schemaMapKeywords.some((name) => name === keyword);
    return isMap ? Object.values(ownObject(schema, keyword)) : Array.isArray(value) ? value : [value];
  });
