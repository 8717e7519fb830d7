import { groupBy } from "@assay/results";
import { createRequire } from "node:module";
import type { Builder, TestCase as JunitCase, TestSuite } from "junit-report-builder";
import { escapeForDisplay } from "../../document/shown-text.ts";
import { withoutCommands } from "../terminal/terminal-text.ts";
import { escapeForXml } from "./xml-text.ts";
import type { CaseList, TestCase } from "../../document/test-case.ts";

// Loaded on first use, because the library is large and most commands do not write a JUnit file.
const requireLibrary = createRequire(import.meta.url);

const isBuilder = (value: unknown): value is Builder =>
  typeof value === "object" && value !== null && "newBuilder" in value && typeof value.newBuilder === "function";

/**
 * Creates an empty report. The library's types declare the builder as a default export, but at run time it is the module itself, so this
 * checks the shape.
 */
const createJunitBuilder = (): Builder => {
  const library: unknown = requireLibrary("junit-report-builder");
  if (!isBuilder(library)) {
    throw new TypeError("junit-report-builder does not export a builder; the installed version is not 5.1.2");
  }
  return library.newBuilder();
};

const setKind = (junitCase: JunitCase, { kind, message = "", type, details }: TestCase): void => {
  const text = escapeForXml((details ?? []).join("\n"));
  switch (kind) {
    case "failure": {
      const failure = junitCase.failure(escapeForXml(message), type);
      if (details !== undefined) {
        failure.stacktrace(text);
      }
      return;
    }
    case "error":
      junitCase.error(escapeForXml(message), type, details === undefined ? undefined : text);
      return;
    case "skipped":
      junitCase.skipped().standardOutput(escapeForXml(message));
      return;
    case "warning":
      junitCase.standardOutput(text);
      return;
    case "passed":
      return;
  }
};

const addCases = (suite: TestSuite, cases: readonly TestCase[]): void => {
  for (const testCase of cases) {
    const junitCase = suite.testCase().className(escapeForXml(testCase.suite)).name(escapeForXml(testCase.name));
    for (const [key, value] of testCase.properties ?? []) {
      junitCase.property(escapeForXml(key), escapeForXml(value));
    }
    setKind(junitCase, testCase);
  }
};

/** Adds one suite for each suite of a run. The first contains the properties. */
const addRun = (builder: Builder, { startedAt, properties, cases }: CaseList): void => {
  const casesBySuite = groupBy(cases, ({ suite }) => suite);
  for (const [index, suiteCases] of casesBySuite.entries()) {
    const suite = builder
      .testSuite()
      .name(escapeForXml(suiteCases[0]?.suite ?? ""))
      .timestamp(escapeForXml(escapeForDisplay(startedAt, "name")));
    for (const [key, value] of index === 0 ? properties : []) {
      suite.property(key, escapeForXml(escapeForDisplay(value)));
    }
    addCases(suite, suiteCases);
  }
};

/** Adds one suite for the whole run, named after its id and target. */
const addMergedRun = (builder: Builder, list: CaseList): void => {
  const title = `${escapeForDisplay(list.id, "name")} ${escapeForDisplay(list.target, "url")}`;
  const suite = builder
    .testSuite()
    .name(escapeForXml(title))
    .timestamp(escapeForXml(escapeForDisplay(list.startedAt, "name")));
  for (const [key, value] of list.properties) {
    suite.property(key, escapeForXml(escapeForDisplay(value)));
  }
  addCases(suite, list.cases);
};

/**
 * Renders JUnit XML of one run, with a suite for each group of cases, or of several runs, with a suite for each run. Always well-formed XML
 * 1.0. The same lists yield the same bytes.
 */
export const createJunitDocument = (lists: readonly CaseList[]): string => {
  const builder = createJunitBuilder().name("assay");
  for (const list of lists) {
    if (lists.length === 1) {
      addRun(builder, list);
    } else {
      addMergedRun(builder, list);
    }
  }
  // The file is often printed to a log, in which lines must not become workflow commands.
  return `${builder.build().split("\n").map(withoutCommands).join("\n")}\n`;
};
