import { generateCheck } from "@assay/reading";
import { checkedShapes } from "./record-checkers.ts";

/** Generates the module that replaces `record-checkers.js` in the bundle. */
export const generateRecordCheckers = (): string =>
  [
    'import { toChecker } from "@assay/reading";',
    ...Object.entries(checkedShapes).map(
      ([name, shape]) =>
        `export const ${name} = toChecker(() => { const module = {}; (function (module) {${generateCheck(shape)}})(module); return module.exports; });`,
    ),
  ].join("\n");
