/**
 * Reports whether JSON text nests arrays and objects deeper than `maxDepth`. Counts brackets outside strings and stops at the first one
 * that is too deep. The result for text that is not JSON is unspecified.
 */
export const nestsDeeperThan = (json: string, maxDepth: number): boolean => {
  const token = /["[\]{}]/g;
  let depth = 0;
  for (let match = token.exec(json); match !== null; match = token.exec(json)) {
    const [mark] = match;
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

/** Loops because a single expression for a whole string uses stack space for each character. */
const endOfString = (json: string, start: number): number => {
  const mark = /["\\]/g;
  mark.lastIndex = start;
  for (let match = mark.exec(json); match !== null; match = mark.exec(json)) {
    if (match[0] === '"') {
      return mark.lastIndex;
    }
    mark.lastIndex += 1;
  }
  return json.length;
};
