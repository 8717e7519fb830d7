/**
 * Reports whether JSON text nests arrays and objects deeper than `maxDepth`. Counts brackets outside strings and stops at the first one
 * that is too deep. The result for text that is not JSON is unspecified.
 */
export const nestsDeeperThan = (json: string, maxDepth: number): boolean => {
  const tokenPattern = /["[\]{}]/g;
  let depth = 0;
  for (let match = tokenPattern.exec(json); match !== null; match = tokenPattern.exec(json)) {
    const [mark] = match;
    if (mark === '"') {
      tokenPattern.lastIndex = findStringEnd(json, tokenPattern.lastIndex);
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
const findStringEnd = (json: string, start: number): number => {
  const markPattern = /["\\]/g;
  markPattern.lastIndex = start;
  for (let match = markPattern.exec(json); match !== null; match = markPattern.exec(json)) {
    if (match[0] === '"') {
      return markPattern.lastIndex;
    }
    markPattern.lastIndex += 1;
  }
  return json.length;
};
