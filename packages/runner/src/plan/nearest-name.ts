/** Number of single-character edits between two words. */
function distance(a: string, b: string): number {
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

/** The name that a mistyped word probably means, or `undefined` when none is near or there is no name at all. */
export function nearestName(word: string, names: readonly string[]): string | undefined {
  const typed = word.slice(0, 100);
  const inside = names.find((name) => typed.length > 3 && name.includes(typed));
  const [best] = names.map((name) => ({ name, edits: distance(typed, name) })).sort((a, b) => a.edits - b.edits);
  const isNear = best !== undefined && best.edits <= Math.max(2, Math.floor(best.name.length / 3));
  return isNear ? best.name : inside;
}
