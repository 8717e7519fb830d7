/**
 * Whether JSON text nests arrays and objects deeper than `maxDepth`. Looks at the text alone and stops at the first
 * bracket that is too deep; brackets in strings do not count. Text that is not JSON gets some answer.
 */
export const nestsDeeperThan = (json: string, maxDepth: number): boolean => {
  const token = /["[\]{}]/g;
  let depth = 0;
  for (let found = token.exec(json); found !== null; found = token.exec(json)) {
    const [mark] = found;
    if (mark === '"') {
      token.lastIndex = endOfString(json, token.lastIndex);
    } else {
      depth += mark === "[" || mark === "{" ? 1 : -1;
    }
    if (depth > maxDepth) {
      return true;
    }
  }
  return false;
};

/** Step by step: one expression for a whole string needs room on the stack for each of its characters. */
const endOfString = (json: string, start: number): number => {
  const mark = /["\\]/g;
  mark.lastIndex = start;
  for (let found = mark.exec(json); found !== null; found = mark.exec(json)) {
    if (found[0] === '"') {
      return mark.lastIndex;
    }
    mark.lastIndex += 1;
  }
  return json.length;
};
