/**
 * What mutation testing tries, by name: mostly the code of a package, by its own tests. Counterexamples are a part of the rules and
 * are tried by what proves all rules on a recorded run, which needs the packages in between as they are, from their sources.
 *
 * @typedef {{ package: string, files: string, testedBy: string, tests?: readonly string[], below: readonly string[], without: readonly string[] }} MutatedPart
 */

/** @type {(name: string) => MutatedPart} */
const whole = (name) => ({ package: name, files: "src/**/*.ts", testedBy: name, below: [], without: [] });

/** @type {Readonly<Record<string, MutatedPart>>} */
const parts = {
  "stream-grammar": whole("stream-grammar"),
  results: whole("results"),
  edits: {
    ...whole("evidence"),
    files: "src/edits/**/*.ts",
    tests: ["src/edits/json-span.test.ts", "src/edits/splice.test.ts"],
  },
  rules: whole("rules"),
  counterexamples: {
    package: "rules",
    files: "src/mutations/**/*.ts",
    testedBy: "runner",
    tests: ["src/judge/counterexamples.test.ts", "../rules/src/mutations/prove-rule.test.ts"],
    // Tests mutants that remove an edit. The position and the text of an edit may differ, as long as one of them shows the rule.
    without: [
      "ArithmeticOperator",
      "AssignmentOperator",
      "BooleanLiteral",
      "ConditionalExpression",
      "EqualityOperator",
      "LogicalOperator",
      "MethodExpression",
      "OptionalChaining",
      "Regex",
      "StringLiteral",
      "UnaryOperator",
      "UpdateOperator",
    ],
    below: ["client", "contract", "evidence", "openapi", "reading", "results", "state-machine", "stream-grammar"],
  },
};

/** Names of all parts, in the order in which they are tried. */
export const partNames = Object.keys(parts);

/** Finds a part by name. Throws for an unknown name. */
export function partOf(/** @type {string} */ name) {
  const part = parts[name];
  if (part === undefined) {
    throw new Error(`there is no part ${name}; there are ${partNames.join(", ")}`);
  }
  return part;
}

/** Folder of a part's files, relative to the root of the repository. */
const folderOf = (/** @type {string} */ name) => {
  const { package: owner, files } = partOf(name);
  return `packages/${owner}/${files.slice(0, files.indexOf("*"))}`;
};

/** Whether a file, relative to the root of the repository, belongs to this part. A part inside another one has its own files. */
export const isOfPart = (/** @type {string} */ name, /** @type {string} */ file) => {
  const folders = partNames.map(folderOf).filter((folder) => file.startsWith(folder));
  return folderOf(name) === folders.toSorted((one, other) => other.length - one.length)[0];
};
