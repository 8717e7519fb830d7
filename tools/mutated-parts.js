/**
 * The parts for mutation testing, by name. Most are the code of a package, tested by its own tests. The mutations of the rules are
 * a separate part: the proof of all rules on a recorded run tests it, with the packages in between loaded from their sources.
 *
 * @typedef {{ package: string, files: string, testedBy: string, tests?: readonly string[], sourceDependencies: readonly string[], exceptFiles: readonly string[], excludedMutators: readonly string[] }} MutatedPart
 */

/** @type {(name: string) => MutatedPart} */
const entirePackage = (name) => ({
  package: name,
  files: "src/**/*.ts",
  testedBy: name,
  sourceDependencies: [],
  exceptFiles: [],
  excludedMutators: [],
});

/** @type {Readonly<Record<string, MutatedPart>>} */
const parts = {
  "stream-grammar": entirePackage("stream-grammar"),
  results: {
    ...entirePackage("results"),
    // Shapes of files. They decide nothing, and a test compares them with the published schemas.
    exceptFiles: [
      "src/{log-entry,outcome,run-result,run-timelines,schema-header,verdict}.ts",
      "src/{client/client-report,doctor/doctor-report,load/comparison,load/load-histogram,load/load-plan,load/load-result}.ts",
    ],
  },
  // Without its proofs over generated histories, which would take hours: the unit tests must detect a mutant.
  "state-machine": {
    ...entirePackage("state-machine"),
    tests: ["history-report", "parts", "questions", "states", "times"].map((test) => `src/${test}.test.ts`),
  },
  edits: {
    ...entirePackage("evidence"),
    files: "src/edits/**/*.ts",
    tests: ["src/edits/json-span.test.ts", "src/edits/splice.test.ts"],
  },
  rules: entirePackage("rules"),
  counterexamples: {
    package: "rules",
    files: "src/mutations/**/*.ts",
    testedBy: "runner",
    tests: ["src/judge/counterexamples.test.ts", "../rules/src/mutations/prove-rule.test.ts"],
    exceptFiles: [],
    // Tests mutants that remove an edit. The position and text of an edit may vary, as long as one edit makes the rule fail.
    excludedMutators: [
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
    sourceDependencies: [
      "client",
      "contract",
      "evidence",
      "openapi",
      "reading",
      "results",
      "state-machine",
      "stream-grammar",
    ],
  },
};

/** Names of all parts, in test order. */
export const partNames = Object.keys(parts);

/** Finds a part by name. Throws for an unknown name. */
export function findPart(/** @type {string} */ name) {
  const part = parts[name];
  if (part === undefined) {
    throw new Error(`unknown part ${name}; choose one of ${partNames.join(", ")}`);
  }
  return part;
}

/** Returns the folder of a part's files, relative to the root of the repository. */
const findPartFolder = (/** @type {string} */ name) => {
  const { package: owner, files } = findPart(name);
  return `packages/${owner}/${files.slice(0, files.indexOf("*"))}`;
};

/** Reports whether a file, relative to the root of the repository, belongs to this part and not to a part inside it. */
export const belongsToPart = (/** @type {string} */ name, /** @type {string} */ file) => {
  const folders = partNames.map(findPartFolder).filter((folder) => file.startsWith(folder));
  return findPartFolder(name) === folders.toSorted((left, right) => right.length - left.length)[0];
};
