/** Maximum number of objects. A configuration of thousands of targets contains far fewer. */
const maxObjects = 100_000;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

function readMember(object: Readonly<Record<string, unknown>>, name: string, path: readonly string[]): unknown {
  try {
    return object[name];
  } catch (cause) {
    const reason = cause instanceof Error ? `: ${cause.message}` : "";
    throw new Error(`${[...path, name].join(".")} cannot be read${reason}`, { cause });
  }
}

/**
 * Returns a deep copy without getters, so that a value cannot change between validation and use. Throws an `Error`
 * with the path of a member that cannot be read or contains itself. Throws if there are more than 100,000 objects.
 */
export function createPlainCopy(value: unknown): unknown {
  let objectCount = 0;
  const ancestors = new Set<unknown>();
  const copy = (original: unknown, path: readonly string[]): unknown => {
    if (!isObject(original)) {
      return original;
    }
    objectCount += 1;
    if (ancestors.has(original) || objectCount > maxObjects) {
      throw new Error(
        objectCount > maxObjects
          ? `it contains more than ${maxObjects.toLocaleString("en-US")} objects`
          : `${path.join(".")} contains itself`,
      );
    }
    ancestors.add(original);
    // `__proto__` is kept as a member, so that it is rejected like any other unknown member.
    const members = Object.keys(original).map((name): readonly [string, unknown] => [
      name,
      copy(readMember(original, name, path), [...path, name]),
    ]);
    ancestors.delete(original);
    return Array.isArray(original) ? members.map(([, member]) => member) : Object.fromEntries(members);
  };
  return copy(value, []);
}
