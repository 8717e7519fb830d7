/**
 * Whether JSON text nests arrays and objects deeper than `maxDepth`. Looks at the text alone and stops at the first
 * bracket that is too deep; brackets in strings do not count. Text that is not JSON gets some answer.
 */
export const nestsDeeperThan = (json: string, maxDepth: number): boolean => {
  let depth = 0;
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"?|[[\]{}]/gs)) {
    if (token === "[" || token === "{") {
      depth += 1;
    } else if (token === "]" || token === "}") {
      depth -= 1;
    }
    if (depth > maxDepth) {
      return true;
    }
  }
  return false;
};
