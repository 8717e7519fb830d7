import { listNames } from "@assay/contract";
import type { ApiDifference, ApiDifferenceKind } from "../description/api-description.ts";
import { pointerTo } from "../json-object.ts";
import type { SchemaShapes } from "./schema-shape.ts";
import type { SchemaShape, ShapeMember } from "./shape-algebra.ts";

/** A difference without its operation. */
export type LocalDifference = Omit<ApiDifference, "operation">;

/** The shapes of both documents. */
export interface ShapePair {
  readonly served: SchemaShapes;
  readonly own: SchemaShapes;
}

const maxDepth = 40;
const maxPlaceLength = 200;

/** Maximum number of differences in one body, above what is reported for a whole document. */
const maxDifferences = 1_000;

interface SchemaPair {
  readonly served: ReadonlySet<unknown>;
  readonly own: ReadonlySet<unknown>;
  readonly place: string;
}

/**
 * Compares the served schema of a body or parameter with ours, member by member, through references. Each pair of schemas is compared once,
 * so cycles end. Ignores null, descriptions, limits, a served type that is one of several in our schema, and everything that our schema
 * does not specify.
 */
export const compareSchemas = (
  shapes: ShapePair,
  pair: { readonly served: unknown; readonly own: unknown; readonly place: string },
  retypedKind: "member-retyped" | "parameter-retyped" = "member-retyped",
): readonly LocalDifference[] => {
  const comparison = new Comparison(shapes, retypedKind);
  comparison.compare({ served: new Set([pair.served]), own: new Set([pair.own]), place: pair.place }, 0);
  return comparison.differences;
};

class Comparison {
  readonly differences: LocalDifference[] = [];
  readonly #shapes: ShapePair;
  readonly #retypedKind: "member-retyped" | "parameter-retyped";
  readonly #schemaNumbers = new Map<unknown, number>();
  readonly #comparedPairs = new Set<string>();

  constructor(shapes: ShapePair, retyped: "member-retyped" | "parameter-retyped") {
    this.#shapes = shapes;
    this.#retypedKind = retyped;
  }

  compare(pair: SchemaPair, depth: number): void {
    const served = this.#shapes.served.shapeOf(pair.served);
    const own = this.#shapes.own.shapeOf(pair.own);
    if (depth > maxDepth || served.isUnknown || own.isUnknown || !this.#isNew(pair)) {
      return;
    }
    this.#compareTypes(served, own, pair.place);
    this.#compareValues(served, own, pair.place);
    if (own.members.size > 0 && allowsType(served, "object")) {
      this.#compareMembers(served, own, { place: pair.place, depth });
    }
    for (const [part, suffix] of [
      ["items", "[]"],
      ["values", "{}"],
    ] as const) {
      if (served[part].size > 0 && own[part].size > 0) {
        this.compare({ served: served[part], own: own[part], place: `${pair.place}${suffix}` }, depth + 1);
      }
    }
  }

  #isNew(pair: SchemaPair): boolean {
    const served = [...pair.served].map((schema) => this.#shapes.served.resolveTarget(schema));
    const own = [...pair.own].map((schema) => this.#shapes.own.resolveTarget(schema));
    const key = [served, own].map((schemas) => schemas.map((schema) => this.#numberOf(schema)).join(" ")).join(" | ");
    const isNew = !this.#comparedPairs.has(key);
    this.#comparedPairs.add(key);
    return isNew;
  }

  #numberOf(schema: unknown): number {
    const number = this.#schemaNumbers.get(schema) ?? this.#schemaNumbers.size;
    this.#schemaNumbers.set(schema, number);
    return number;
  }

  #compareTypes(served: SchemaShape, own: SchemaShape, place: string): void {
    const extraTypes = [...served.types].filter((type) => !allowsType(own, type));
    if (extraTypes.length > 0) {
      this.#report(
        this.#retypedKind,
        place,
        `is ${listValues(served.types)}; in Assay's copy ${listValues(own.types)}`,
      );
    }
  }

  #compareValues(served: SchemaShape, own: SchemaShape, place: string): void {
    const [ofServed, ofOwn] = [served.enumeration, own.enumeration];
    if (ofServed === undefined && ofOwn !== undefined) {
      this.#report("enum-changed", place, `may have any value; in Assay's copy ${listValues(ofOwn)}`);
    } else if (ofServed !== undefined && ofOwn === undefined) {
      this.#report("enum-changed", place, `is one of ${listValues(ofServed)}; in Assay's copy it may have any value`);
    } else if (ofServed !== undefined && ofOwn !== undefined) {
      const extraValues = [...ofServed].filter((value) => !ofOwn.has(value));
      const missing = [...ofOwn].filter((value) => !ofServed.has(value));
      if (extraValues.length + missing.length > 0) {
        this.#report("enum-changed", place, describeEnumChange(extraValues, missing));
      }
    }
  }

  #compareMembers(served: SchemaShape, own: SchemaShape, at: { readonly place: string; readonly depth: number }): void {
    for (const [key, member] of served.members) {
      if (!own.members.has(key)) {
        this.#report("member-added", pointerTo(at.place, member.name), "is additional; Assay's copy does not have it");
      }
    }
    for (const [key, ownMember] of own.members) {
      const member = served.members.get(key);
      if (member !== undefined) {
        this.#compareMember(member, ownMember, at);
      } else if (ownMember.isEverywhere) {
        this.#report("member-removed", pointerTo(at.place, ownMember.name), "is missing; Assay's copy has it");
      }
    }
  }

  #compareMember(member: ShapeMember, own: ShapeMember, at: { readonly place: string; readonly depth: number }): void {
    const place = pointerTo(at.place, member.name);
    if (member.isEverywhere && own.isEverywhere && member.isRequired !== own.isRequired) {
      const clause = member.isRequired ? "is required" : "is optional";
      this.#report(
        "required-changed",
        place,
        `${clause}; in Assay's copy ${own.isRequired ? "it is required" : "it is optional"}`,
      );
    }
    this.compare({ served: member.schemas, own: own.schemas, place }, at.depth + 1);
  }

  #report(kind: ApiDifferenceKind, place: string, clause: string): void {
    if (this.differences.length >= maxDifferences) {
      return;
    }
    const short = shortenPlace(place);
    this.differences.push({ kind, place: short, message: `In the served document \`${short}\` ${clause}.` });
  }
}

/** Shortens a long location to its end, which is most specific. */
export const shortenPlace = (place: string): string =>
  place.length > maxPlaceLength ? `...${place.slice(-maxPlaceLength)}` : place;

const allowsType = ({ types }: SchemaShape, type: string): boolean =>
  types.size === 0 || types.has(type) || (type === "integer" && types.has("number"));

const maxListed = 10;

const listValues = (values: ReadonlySet<string>): string => listNames([...values].sort(), maxListed);

const describeEnumChange = (more: readonly string[], missing: readonly string[]): string => {
  const added = more.length === 0 ? "" : `may also be ${listValues(new Set(more))}`;
  const removed = missing.length === 0 ? "" : `may no longer be ${listValues(new Set(missing))}`;
  return `${[added, removed].filter((clause) => clause !== "").join(" and ")}, compared with Assay's copy`;
};
