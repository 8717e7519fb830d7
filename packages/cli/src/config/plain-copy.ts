/** Far more objects than a configuration of thousands of targets has. */
const maxObjects = 100_000;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

function read(from: Readonly<Record<string, unknown>>, name: string, path: readonly string[]): unknown {
  try {
    return from[name];
  } catch (cause) {
    const why = cause instanceof Error ? `: ${cause.message}` : "";
    throw new Error(`${[...path, name].join(".")} cannot be read${why}`, { cause });
  }
}

/**
 * What a value says now, with no getter left in it: what is checked is what is used. Fails with an `Error` that names the member
 * for one that cannot be read or that holds itself, and for more than 100,000 objects.
 */
export function plainCopy(value: unknown): unknown {
  let objects = 0;
  const around = new Set<unknown>();
  const copyOf = (original: unknown, path: readonly string[]): unknown => {
    if (!isObject(original)) {
      return original;
    }
    objects += 1;
    if (around.has(original) || objects > maxObjects) {
      throw new Error(objects > maxObjects ? "it has more objects than can be read" : `${path.join(".")} holds itself`);
    }
    around.add(original);
    // A member with the name of the prototype stays a member, to be refused like any other.
    const members = Object.keys(original).map((name): readonly [string, unknown] => [
      name,
      copyOf(read(original, name, path), [...path, name]),
    ]);
    around.delete(original);
    return Array.isArray(original) ? members.map(([, member]) => member) : Object.fromEntries(members);
  };
  return copyOf(value, []);
}
