/** Reports whether a parsed JSON value contains more than `limit` values, including itself. Stops counting at the limit. */
export const hasMoreValuesThan = (value: unknown, limit: number): boolean => countValues(value, limit) > limit;

/** Returns the number of values in a parsed JSON value, including itself. Returns any number above `limit` if there are more. */
export const countValues = (value: unknown, limit: number): number => {
  const pending: unknown[] = [value];
  let count = 0;
  while (pending.length > 0) {
    const next = pending.pop();
    count += 1;
    if (typeof next === "object" && next !== null) {
      const children: readonly unknown[] = Object.values(next);
      if (children.length + pending.length + count > limit) {
        return limit + 1;
      }
      pending.push(...children);
    }
  }
  return count;
};
