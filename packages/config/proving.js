/** Whether `npm run prove` runs the tests, which tries everything; `npm test` tries a part of what can be tried one by one. */
export const isProving = process.env["ASSAY_PROVE"] === "1";

/** How many of something are tried: `some` in `npm test`, `all` in `npm run prove`. */
export const howMany = (some, all) => (isProving ? all : some);

/** What is tried of a list: all of it in `npm run prove`, else the first one and every `n`th after it. */
export const everyNth = (list, n) => (isProving ? list : list.filter((_, index) => index % n === 0));
