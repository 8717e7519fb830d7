import { HarnessError } from "@assay/contract";
import { isJsonObject, ownMember, ownObject } from "./json-object.ts";
import type { JsonObject } from "./json-object.ts";
import { decodeUri, resolvePointer } from "./local-reference.ts";
import { definitionKeywords, schemaKeywords, schemaListKeywords, schemaMapKeywords } from "./schema-keywords.ts";

/**
 * The document itself, or a schema with an `$id` and its contents up to the next one. Source: JSON Schema 2020-12, section
 * 4.3.5.
 */
export interface SchemaResource {
  readonly root: JsonObject;
  /** Absolute URL without a fragment. */
  readonly url: string;
  /** URI of the meta-schema. Undefined for the OpenAPI meta-schema. */
  readonly dialect: string | undefined;
  /** Schemas with an `$anchor` or `$dynamicAnchor`, by name. */
  readonly anchors: ReadonlyMap<string, JsonObject>;
  /** Schemas with a `$dynamicAnchor`, by name. */
  readonly dynamicAnchors: ReadonlyMap<string, JsonObject>;
  /** Names that are used by more than one schema, which is not allowed. */
  readonly repeatedNames: ReadonlySet<string>;
}

interface Draft extends SchemaResource {
  readonly anchors: Map<string, JsonObject>;
  readonly dynamicAnchors: Map<string, JsonObject>;
  readonly repeatedNames: Set<string>;
}

/** The assumed URL of a document. References relative to it find schemas with a relative `$id`. */
const documentAddress = "assay://document/-";

/** Maximum number of schemas with an `$id` in a document. Real documents have hundreds. */
const maxResources = 10_000;

const resourcesByDocument = new WeakMap<JsonObject, SchemaResources>();

/** Returns the schema resources of a document, cached. The document must not change afterwards. */
export const getSchemaResources = (document: JsonObject): SchemaResources => {
  const resources = resourcesByDocument.get(document) ?? new SchemaResources(document);
  resourcesByDocument.set(document, resources);
  return resources;
};

/** Resolves references relative to the enclosing `$id`. Only finds targets inside the document. */
export class SchemaResources {
  readonly document: SchemaResource;
  readonly isOpenApi30: boolean;
  #resourcesLeft = maxResources;
  readonly #byUrl = new Map<string, Draft>();
  readonly #repeatedUrls = new Set<string>();
  /** Resources of schemas inside an `$id`. */
  readonly #resourceBySchema = new Map<object, Draft>();
  readonly #visited = new Set<object>();
  /** Targets of references relative to the document. */
  readonly #pointers = new Set<string>();
  readonly #dynamicAnchors = new Map<string, Set<SchemaResource>>();
  readonly #draft: Draft;

  constructor(document: JsonObject) {
    this.isOpenApi30 = String(ownMember(document, "openapi")).startsWith("3.0.");
    const dialect = ownMember(document, "jsonSchemaDialect");
    this.#draft = newResource(document, resolveUrl(ownMember(document, "$self"), documentAddress), dialect);
    this.document = this.#draft;
    this.#byUrl.set(this.#draft.url, this.#draft);
    this.#findSchemas(document);
    // A value in an extension is a schema if a reference points to it. The list grows during iteration.
    for (const pointer of this.#pointers) {
      this.#findInSchema(resolvePointer(document, pointer), this.#draft);
    }
  }

  /** Reports whether more schemas have an `$id` than are analyzed, so that targets of references are uncertain. */
  get isExhausted(): boolean {
    return this.#resourcesLeft < 0;
  }

  getResource(schema: object): SchemaResource {
    return this.#resourceBySchema.get(schema) ?? this.#draft;
  }

  /** Returns every resource with a `$dynamicAnchor` of this name. */
  findAnchorHolders(dynamicAnchor: string): ReadonlySet<SchemaResource> {
    return this.#dynamicAnchors.get(dynamicAnchor) ?? new Set();
  }

  /** Reports whether a reference in `from` points to a different document. */
  isExternal(from: object, reference: string): boolean {
    const resource = this.#resourceAt(from, reference);
    return resource === undefined || (reference === "" && resource === this.#draft);
  }

  /** Returns the target of a reference in `from`. Throws a `HarnessError` (`unresolved-reference`) if there is none. */
  resolve(from: object, reference: string): unknown {
    const target = this.find(from, reference);
    if (target === undefined) {
      const message = `\`${reference.slice(0, 200)}\` leads nowhere in the OpenAPI document`;
      throw new HarnessError("unresolved-reference", message);
    }
    return target;
  }

  /** Like `resolve`, but returns undefined if there is no target. */
  find(from: object, reference: string): unknown {
    const resource = this.#resourceAt(from, reference);
    return resource === undefined ? undefined : this.#findInResource(resource, decodeFragment(reference));
  }

  #resourceAt(from: object, reference: string): Draft | undefined {
    const base = this.#resourceBySchema.get(from) ?? this.#draft;
    const [address = ""] = reference.split("#", 1);
    if (address === "") {
      return base;
    }
    const absolute = resolveUrl(address, base.url);
    return this.#repeatedUrls.has(absolute) ? undefined : this.#byUrl.get(absolute);
  }

  #findInResource(resource: Draft, fragment: string): unknown {
    if (fragment === "") {
      // The document is not a schema.
      return resource === this.#draft ? undefined : resource.root;
    }
    if (!fragment.startsWith("/")) {
      return resource.repeatedNames.has(fragment) ? undefined : resource.anchors.get(fragment);
    }
    // Many documents use pointers from the document root even inside an `$id`.
    return resolvePointer(resource.root, fragment) ?? resolvePointer(this.document.root, fragment);
  }

  #findSchemas(document: JsonObject): void {
    const { schemas, ...components } = ownObject(document, "components");
    for (const schema of isJsonObject(schemas) ? Object.values(schemas) : []) {
      this.#findInSchema(schema, this.#draft);
    }
    const pending: { readonly value: unknown; readonly name: string }[] = [
      { value: { ...document, components }, name: "" },
    ];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const { name, value } = next;
      if (isJsonObject(value) && name === "schema") {
        this.#findInSchema(value, this.#draft);
      } else if (typeof value === "object" && value !== null && !isDataMember(name)) {
        for (const [key, child] of Object.entries(value)) {
          pending.push({ value: child, name: Array.isArray(value) ? "" : key });
        }
      }
    }
  }

  #findInSchema(root: unknown, enclosing: Draft): void {
    const pending: (readonly [unknown, Draft])[] = [[root, enclosing]];
    for (let next = pending.pop(); next !== undefined && !this.isExhausted; next = pending.pop()) {
      const [schema, outer] = next;
      if (!isJsonObject(schema) || this.#visited.has(schema)) {
        continue;
      }
      this.#visited.add(schema);
      const resource = this.#enter(schema, outer);
      if (resource !== this.#draft) {
        this.#resourceBySchema.set(schema, resource);
      }
      const reference = ownMember(schema, "$ref");
      if (resource === this.#draft && typeof reference === "string" && reference.startsWith("#/")) {
        this.#pointers.add(reference.slice(1));
      }
      for (const child of listSubschemas(schema)) {
        pending.push([child, resource]);
      }
    }
  }

  #mayEnter(id: string, outer: Draft): boolean {
    this.#resourcesLeft -= 1;
    return !this.isExhausted && URL.canParse(id, outer.url);
  }

  /** Returns the resource that a schema belongs to, which may start with it. */
  #enter(schema: JsonObject, outer: Draft): Draft {
    const id = ownMember(schema, "$id");
    let resource = outer;
    if (typeof id === "string" && !this.isOpenApi30 && /^[^#]+#?$/.test(id) && this.#mayEnter(id, outer)) {
      resource = newResource(schema, resolveUrl(id, outer.url), ownMember(schema, "$schema") ?? outer.dialect);
      if (this.#byUrl.has(resource.url)) {
        this.#repeatedUrls.add(resource.url);
      } else {
        this.#byUrl.set(resource.url, resource);
      }
    }
    addAnchor(resource, ownMember(schema, "$anchor"), schema);
    const dynamic = ownMember(schema, "$dynamicAnchor");
    addAnchor(resource, dynamic, schema);
    if (typeof dynamic === "string") {
      resource.dynamicAnchors.set(dynamic, schema);
      this.#dynamicAnchors.set(dynamic, (this.#dynamicAnchors.get(dynamic) ?? new Set()).add(resource));
    }
    return resource;
  }
}

const newResource = (root: JsonObject, url: string, dialect: unknown): Draft => ({
  root,
  url,
  dialect: typeof dialect === "string" ? dialect : undefined,
  anchors: new Map(),
  dynamicAnchors: new Map(),
  repeatedNames: new Set(),
});

const addAnchor = ({ anchors, repeatedNames }: Draft, name: unknown, schema: JsonObject): void => {
  if (typeof name !== "string") {
    return;
  }
  if ((anchors.get(name) ?? schema) !== schema) {
    repeatedNames.add(name);
  }
  anchors.set(name, schema);
};

/** Members of OpenAPI objects that contain data, not schemas. */
const isDataMember = (name: string): boolean => ["example", "examples"].includes(name) || name.startsWith("x-");

const mapKeywords: ReadonlySet<string> = new Set([...schemaMapKeywords, ...definitionKeywords]);
const schemaContainerKeywords: ReadonlySet<string> = new Set([...schemaListKeywords, ...schemaKeywords]);

/** Returns the schemas directly inside a schema, including definitions. */
const listSubschemas = (schema: JsonObject): readonly unknown[] =>
  Object.entries(schema).flatMap(([keyword, value]): readonly unknown[] => {
    if (mapKeywords.has(keyword)) {
      return isJsonObject(value) ? Object.values(value) : [];
    }
    return !schemaContainerKeywords.has(keyword) ? [] : Array.isArray(value) ? value : [value];
  });

/** Returns an own member that is a list, or an empty list. */
export const readList = (schema: JsonObject, keyword: string): readonly unknown[] => {
  const list = ownMember(schema, keyword);
  return Array.isArray(list) ? list : [];
};

/** Returns the absolute URL without a fragment. Returns an invalid URL unchanged, so that it does not resolve. */
const resolveUrl = (reference: unknown, base: string): string => {
  if (typeof reference !== "string") {
    return base;
  }
  if (!URL.canParse(reference, base)) {
    return `not an address: ${reference}`;
  }
  const url = new URL(reference, base);
  url.hash = "";
  return url.href;
};

const decodeFragment = (reference: string): string => {
  const at = reference.indexOf("#");
  const fragment = at === -1 ? "" : reference.slice(at + 1);
  // Steps of a pointer are unescaped individually.
  return fragment.startsWith("/") ? fragment : decodeUri(fragment);
};
