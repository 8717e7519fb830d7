/** Number of single-character edits between two words. */
const editDistance = (left: string, right: string): number => {
  let last: readonly number[] = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const substitution = left[row - 1] === right[column - 1] ? 0 : 1;
      const costs = [(last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, (last[column - 1] ?? 0) + substitution];
      current.push(Math.min(...costs));
    }
    last = current;
  }
  return last[right.length] ?? 0;
};

const longestComparedName = 100;

/**
 * The valid name closest to a mistyped one, or `undefined` when there are no names at all. Names over 100 characters are
 * compared by their first 100.
 */
export const nearestName = (mistyped: string, names: readonly string[]): string | undefined => {
  const shortened = mistyped.slice(0, longestComparedName).toLowerCase();
  const ranked = names.map((name) => ({ name, distance: editDistance(shortened, name.toLowerCase()) }));
  return ranked.toSorted((one, other) => one.distance - other.distance)[0]?.name;
};
