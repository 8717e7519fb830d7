import { groupedBy } from "@assay/results";
import { createRequire } from "node:module";
import type { Builder, TestCase as JunitCase, TestSuite } from "junit-report-builder";
import { shownText } from "../../document/shown-text.ts";
import { withoutCommands } from "../terminal/terminal-text.ts";
import { xmlText } from "./xml-text.ts";
import type { CaseList, TestCase } from "../../document/test-case.ts";

// Loaded on first use, because the library is large and most commands do not write a JUnit file.
const load = createRequire(import.meta.url);

const isBuilder = (value: unknown): value is Builder =>
  typeof value === "object" && value !== null && "newBuilder" in value && typeof value.newBuilder === "function";

/**
 * Creates an empty report. The library's types declare the builder as a default export, but at run time it is the module itself, so this
 * checks the shape.
 */
const newJunitBuilder = (): Builder => {
  const outer: unknown = load("junit-report-builder");
  if (!isBuilder(outer)) {
    throw new TypeError("junit-report-builder does not export a builder; the installed version is not 5.1.2");
  }
  return outer.newBuilder();
};

const setKind = (testCase: JunitCase, { kind, message = "", type, details }: TestCase): void => {
  const text = xmlText((details ?? []).join("\n"));
  switch (kind) {
    case "failure": {
      const failed = testCase.failure(xmlText(message), type);
      if (details !== undefined) {
        failed.stacktrace(text);
      }
      return;
    }
    case "error":
      testCase.error(xmlText(message), type, details === undefined ? undefined : text);
      return;
    case "skipped":
      testCase.skipped().standardOutput(xmlText(message));
      return;
    case "warning":
      testCase.standardOutput(text);
      return;
    case "passed":
      return;
  }
};

const addCases = (suite: TestSuite, cases: readonly TestCase[]): void => {
  for (const one of cases) {
    const own = suite.testCase().className(xmlText(one.suite)).name(xmlText(one.name));
    for (const [key, value] of one.properties ?? []) {
      own.property(xmlText(key), xmlText(value));
    }
    setKind(own, one);
  }
};

/** Adds one suite for each suite of a run. The first contains the properties. */
const addRun = (builder: Builder, { startedAt, properties, cases }: CaseList): void => {
  const suites = groupedBy(cases, ({ suite }) => suite);
  for (const [index, own] of suites.entries()) {
    const suite = builder
      .testSuite()
      .name(xmlText(own[0]?.suite ?? ""))
      .timestamp(xmlText(shownText(startedAt, "name")));
    for (const [key, value] of index === 0 ? properties : []) {
      suite.property(key, xmlText(shownText(value)));
    }
    addCases(suite, own);
  }
};

/** Adds one suite for the whole run, named after its id and target. */
const addMergedRun = (builder: Builder, list: CaseList): void => {
  const title = `${shownText(list.id, "name")} ${shownText(list.target, "url")}`;
  const suite = builder
    .testSuite()
    .name(xmlText(title))
    .timestamp(xmlText(shownText(list.startedAt, "name")));
  for (const [key, value] of list.properties) {
    suite.property(key, xmlText(shownText(value)));
  }
  addCases(suite, list.cases);
};

/**
 * Renders JUnit XML of one run, with a suite for each group of cases, or of several runs, with a suite for each run. Always well-formed XML
 * 1.0. The same lists yield the same bytes.
 */
export const junitDocument = (lists: readonly CaseList[]): string => {
  const builder = newJunitBuilder().name("assay");
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
