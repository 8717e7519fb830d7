/**
 * The parts for mutation testing, by name. Most are the code of a package, tested by its own tests. The mutations of the rules are
 * a separate part: the proof of all rules on a recorded run tests it, with the packages in between loaded from their sources.
 *
 * `oneIn`: a run of the whole part tests one mutant in this number. `minimumScore`: a part fails if its score is certainly lower.
 *
 * @typedef {{ package: string, files: string, testedBy: string, tests?: readonly string[], testFolders?: readonly string[], sourceDependencies: readonly string[], exceptFiles: readonly string[], excludedMutators: readonly string[], oneIn: number, minimumScore: number }} MutatedPart
 */

/** @type {(name: string) => Omit<MutatedPart, "oneIn" | "minimumScore">} */
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
  "stream-grammar": { ...entirePackage("stream-grammar"), oneIn: 3, minimumScore: 95 },
  results: {
    ...entirePackage("results"),
    // Shapes of files. They decide nothing, and a test compares them with the published schemas.
    exceptFiles: [
      "src/{log-entry,outcome,run-result,run-timelines,schema-header,verdict}.ts",
      "src/{client/client-report,doctor/doctor-report,load/comparison,load/load-histogram,load/load-plan,load/load-result}.ts",
    ],
    oneIn: 8,
    minimumScore: 72,
  },
  "state-machine": { ...entirePackage("state-machine"), oneIn: 12, minimumScore: 80 },
  edits: {
    ...entirePackage("evidence"),
    files: "src/edits/**/*.ts",
    tests: ["src/edits/json-span.test.ts", "src/edits/splice.test.ts"],
    oneIn: 1,
    minimumScore: 90,
  },
  // The rules are two parts, because Stryker keeps in memory which of thousands of tests runs which mutant.
  rules: {
    ...entirePackage("rules"),
    files: "src/engine/**/*.ts,src/stream/**/*.ts",
    testFolders: ["src/engine", "src/stream"],
    oneIn: 60,
    minimumScore: 80,
  },
  "conversation-rules": {
    ...entirePackage("rules"),
    files: "src/conversation/**/*.ts",
    testFolders: ["src/conversation"],
    oneIn: 60,
    minimumScore: 75,
  },
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
    oneIn: 5,
    minimumScore: 85,
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
