/** The properties of a schema's values that are needed to compare two documents. */
export interface SchemaShape {
  /** Types except `null`. Empty if every type is allowed. */
  readonly types: ReadonlySet<string>;
  readonly permitsNull: boolean;
  /** Members by canonical name. */
  readonly members: ReadonlyMap<string, ShapeMember>;
  /** Alternative schemas of array elements. */
  readonly items: ReadonlySet<unknown>;
  /** Alternative schemas of unlisted members. */
  readonly values: ReadonlySet<unknown>;
  /** The listed values as JSON. Undefined for an open set. */
  readonly enumeration: ReadonlySet<string> | undefined;
  /** Reports whether computing the shape was abandoned. */
  readonly isUnknown: boolean;
}

/** A member of the objects of a shape. */
export interface ShapeMember {
  /** The name, as spelled in one of the documents. */
  readonly name: string;
  /** Alternative schemas. */
  readonly schemas: ReadonlySet<unknown>;
  readonly isRequired: boolean;
  /** Reports whether every alternative lists it. */
  readonly isEverywhere: boolean;
}

/** The shape of an empty schema. */
export const openShape: SchemaShape = {
  types: new Set(),
  permitsNull: false,
  members: new Map(),
  items: new Set(),
  values: new Set(),
  enumeration: undefined,
  isUnknown: false,
};

/** The shape of a schema that was not computed. */
export const unknownShape: SchemaShape = { ...openShape, isUnknown: true };

/** Returns the shape of values that match both. If they disagree about types, the result has the types of both. */
export const intersectShapes = (a: SchemaShape, b: SchemaShape): SchemaShape => {
  const members = new Map(a.members);
  for (const [key, member] of b.members) {
    const other = members.get(key);
    members.set(key, other === undefined ? member : intersectMembers(other, member));
  }
  return {
    types: union([a.types, b.types]),
    permitsNull: a.permitsNull || b.permitsNull,
    members,
    items: union([a.items, b.items]),
    values: union([a.values, b.values]),
    enumeration: a.enumeration ?? b.enumeration,
    isUnknown: a.isUnknown || b.isUnknown,
  };
};

const intersectMembers = (a: ShapeMember, b: ShapeMember): ShapeMember => ({
  name: a.name,
  schemas: union([a.schemas, b.schemas]),
  isRequired: a.isRequired || b.isRequired,
  isEverywhere: a.isEverywhere || b.isEverywhere,
});

/** Returns the shape of values that match one of several. An alternative that only allows null has no other effect. */
export const unionShapes = (alternatives: readonly SchemaShape[]): SchemaShape => {
  const shapes = alternatives.filter((shape) => !isOnlyNull(shape));
  const [only] = shapes;
  if (only === undefined || shapes.length === 1) {
    return { ...(only ?? openShape), permitsNull: alternatives.some(({ permitsNull }) => permitsNull) };
  }
  const isOpen = shapes.some(({ types }) => types.size === 0);
  const isListed = shapes.every(({ enumeration }) => enumeration !== undefined);
  return {
    types: isOpen ? new Set() : union(shapes.map(({ types }) => types)),
    permitsNull: alternatives.some(({ permitsNull }) => permitsNull),
    members: unionMembers(shapes),
    items: union(shapes.map(({ items }) => items)),
    values: union(shapes.map(({ values }) => values)),
    enumeration: isListed ? union(shapes.map(({ enumeration }) => enumeration ?? new Set())) : undefined,
    isUnknown: shapes.some(({ isUnknown }) => isUnknown),
  };
};

const isOnlyNull = ({ types, permitsNull, members }: SchemaShape): boolean =>
  permitsNull && types.size === 0 && members.size === 0;

/**
 * Merges members. A member is in every alternative if each alternative with members has it, or if each alternative has a single member. In
 * that case the names are the choice, and all of them are expected.
 */
const unionMembers = (shapes: readonly SchemaShape[]): ReadonlyMap<string, ShapeMember> => {
  const alternatives = shapes.filter(({ members }) => members.size > 0).map(({ members }) => members);
  const isChoiceOfNames = alternatives.every(({ size }) => size === 1);
  const membersByKey = new Map<string, ShapeMember[]>();
  for (const [key, member] of alternatives.flatMap((members) => [...members])) {
    membersByKey.set(key, [...(membersByKey.get(key) ?? []), member]);
  }
  const unionEntries = [...membersByKey].map(([key, members]) => {
    const isInAll = members.length === alternatives.length;
    const [first] = members;
    const member: ShapeMember = {
      name: first?.name ?? key,
      schemas: union(members.map(({ schemas }) => schemas)),
      isRequired: isInAll && members.every(({ isRequired }) => isRequired),
      isEverywhere: isChoiceOfNames || (isInAll && members.every(({ isEverywhere }) => isEverywhere)),
    };
    return [key, member] as const;
  });
  return new Map(unionEntries);
};

const union = <T>(sets: readonly ReadonlySet<T>[]): ReadonlySet<T> => new Set(sets.flatMap((set) => [...set]));
