/** Number of single-character edits between two words. */
const editDistance = (left: string, right: string): number => {
  let last: readonly number[] = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const substitution = (last[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1);
      current.push(Math.min((last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, substitution));
    }
    last = current;
  }
  return last[right.length] ?? 0;
};

/** The name closest to a mistyped one; `undefined` when there are no names. Both are short by the rule for names. */
export const nearestName = (mistyped: string, names: readonly string[]): string | undefined =>
  names
    .map((name) => ({ name, distance: editDistance(mistyped, name) }))
    .toSorted((one, other) => one.distance - other.distance)[0]?.name;
