/** Maximum number of objects, far more than in a configuration of thousands of targets. */
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
 * A deep copy without getters, so that the checked values are the used ones. Fails with an `Error` that names the member if it is unreadable
 * or contains itself, and for more than 100,000 objects.
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
    // `__proto__` stays a member, so that it is refused like any other unknown one.
    const members = Object.keys(original).map((name): readonly [string, unknown] => [
      name,
      copyOf(read(original, name, path), [...path, name]),
    ]);
    around.delete(original);
    return Array.isArray(original) ? members.map(([, member]) => member) : Object.fromEntries(members);
  };
  return copyOf(value, []);
}
