/** Returns the number of single-character edits between two words. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = (row[j - 1] ?? 0) + Number(a[i - 1] !== b[j - 1]);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/** Maximum number of characters of a word that are compared. */
const comparedLength = 100;

interface NearName {
  readonly name: string;
  readonly edits: number;
}

function findNearest(word: string, names: readonly string[]): NearName | undefined {
  const typedWord = word.slice(0, comparedLength).toLowerCase();
  const candidates = names.map((name) => ({
    name,
    edits: editDistance(typedWord, name.slice(0, comparedLength).toLowerCase()),
  }));
  return candidates.toSorted((a, b) => a.edits - b.edits)[0];
}

/**
 * Returns the name with the smallest edit distance to a mistyped word, or the first of several. Ignores case. Returns undefined only if
 * there are no names.
 */
export const closestName = (word: string, names: readonly string[]): string | undefined =>
  names.includes(word) ? word : findNearest(word, names)?.name;

/**
 * Returns the name that a mistyped word probably means: one that differs by a few characters, otherwise one that contains the word.
 * Ignores case. Returns undefined if there is no such name.
 */
export function nearestName(word: string, names: readonly string[]): string | undefined {
  if (names.includes(word)) {
    return word;
  }
  const typedWord = word.slice(0, comparedLength).toLowerCase();
  const inside = names.find((name) => typedWord.length > 3 && name.toLowerCase().includes(typedWord));
  const nearest = findNearest(word, names);
  const isNear = nearest !== undefined && nearest.edits <= Math.max(2, Math.floor(nearest.name.length / 3));
  return isNear ? nearest.name : inside;
}
