import { HarnessError } from "@assay/contract";
import { describe, expect, test } from "vitest";
import type { AssayConfig } from "./assay-config.ts";
import { type TargetSelection, chooseTarget } from "./choose-target.ts";

const config: AssayConfig = {
  defaultTarget: "staging",
  targets: { staging: { url: "https://staging.example" }, released: { url: "https://released.example/sub/" } },
};
const section = {};
const flag = <Value>(value: Value) => ({ value, source: "flag" as const });
const variable = <Value>(value: Value) => ({ value, source: "variable" as const });

describe("the target is", () => {
  test.each<{ name: string; selection: TargetSelection; choice: object; config?: AssayConfig }>([
    {
      name: "the default one where nothing is said",
      selection: { section },
      choice: { name: "staging", urlSource: "target" },
    },
    {
      name: "the one that is named",
      selection: { section, target: flag("released") },
      choice: { name: "released", urlSource: "target" },
    },
    {
      name: "the one of ASSAY_TARGET",
      selection: { section, target: variable("released") },
      choice: { name: "released" },
    },
    {
      name: "none of the file where there is an address",
      selection: { section, url: flag("https://other.example") },
      choice: {},
    },
    {
      name: "none of the file where ASSAY_URL is set",
      selection: { section, url: variable("https://other.example") },
      choice: {},
    },
    {
      name: "none of the file where SRC_ENDPOINT is set",
      selection: { section, endpoint: "https://other.example" },
      choice: {},
    },
    {
      name: "none of the file where SRC_ENDPOINT is set and empty: that is refused later",
      selection: { section, endpoint: "" },
      choice: {},
    },
    {
      name: "none of the file for --embedded",
      selection: { section, embedded: { ...flag(true as const), flag: "embedded" } },
      choice: {},
    },
    {
      name: "that of the section where there is no default one",
      selection: { section: { url: "https://other.example" } },
      config: {},
      choice: { urlSource: "section" },
    },
    {
      name: "the embedded server where the section says so",
      selection: { section: { embedded: true } },
      choice: { urlSource: "section" },
    },
    {
      name: "the same, said twice in the file",
      selection: { section: { url: "https://staging.example/" } },
      choice: { name: "staging", urlSource: "target" },
    },
    {
      name: "the same, said twice on the line",
      selection: { section, target: flag("released"), url: flag("https://released.example/sub") },
      choice: { name: "released" },
    },
  ])("$name", ({ selection, choice, config: other = config }) => {
    expect(chooseTarget(selection, other)).toMatchObject(choice);
    expect(chooseTarget(selection, other).notes).toEqual([]);
    expect(Object.keys(chooseTarget(selection, other)).includes("name")).toBe("name" in choice);
  });

  test.each<{ name: string; selection: TargetSelection; chosen: string | undefined; note: string }>([
    {
      name: "--target against SRC_ENDPOINT",
      selection: { section, target: flag("staging"), endpoint: "https://other.example:8443/x" },
      chosen: "staging",
      note: "SRC_ENDPOINT is other.example:8443, which is ignored because --target staging is staging.example",
    },
    {
      name: "ASSAY_TARGET against SRC_ENDPOINT",
      selection: { section, target: variable("staging"), endpoint: "https://other.example" },
      chosen: "staging",
      note: "SRC_ENDPOINT is other.example, which is ignored because ASSAY_TARGET staging is staging.example",
    },
    {
      name: "--target against ASSAY_URL",
      selection: { section, target: flag("staging"), url: variable("https://other.example") },
      chosen: "staging",
      note: "ASSAY_URL is other.example, which is ignored because --target staging is staging.example",
    },
    {
      name: "--target against ASSAY_EMBEDDED",
      selection: { section, target: flag("staging"), embedded: { ...variable(true as const), flag: "embedded" } },
      chosen: "staging",
      note: "ASSAY_EMBEDDED selects the embedded server, which is ignored because --target staging is staging.example",
    },
    {
      name: "--url against ASSAY_TARGET",
      selection: { section, target: variable("staging"), url: flag("https://other.example") },
      chosen: undefined,
      note: "ASSAY_TARGET staging is ignored because a flag overrides it",
    },
  ])("said in one line, $name", ({ selection, chosen, note }) => {
    const choice = chooseTarget(selection, config);
    expect([choice.name, choice.notes]).toEqual([chosen, [note]]);
  });

  test.each<{ name: string; selection: TargetSelection; says: string; config?: AssayConfig }>([
    {
      name: "--target and --url",
      selection: { section, target: flag("staging"), url: flag("https://other.example") },
      says: "--url is other.example, but --target staging is https://staging.example; remove one of them",
    },
    {
      name: "both variables",
      selection: { section, target: variable("staging"), url: variable("https://other.example") },
      says: "ASSAY_URL is other.example, but ASSAY_TARGET staging is https://staging.example; remove one of them",
    },
    {
      name: "--target and --embedded",
      selection: { section, target: flag("staging"), embedded: { ...flag(true as const), flag: "embedded" } },
      says: "--embedded selects the embedded server, but --target staging is https://staging.example; remove one of them",
    },
    {
      name: "a mistyped name",
      selection: { section, target: flag("stagin") },
      says: 'unknown target "stagin"; did you mean `staging`?',
    },
    {
      name: "another name",
      selection: { section, target: flag("zzzzzzz") },
      says: 'unknown target "zzzzzzz"; targets are staging, released',
    },
    {
      name: "a name of every object",
      selection: { section, target: flag("toString") },
      says: 'unknown target "toString"',
    },
    {
      name: "a name without targets",
      selection: { section, target: flag("x") },
      config: {},
      says: 'unknown target "x"; there are no targets',
    },
    {
      name: "two addresses in the file",
      selection: { section: { url: "https://other.example" } },
      says: "the configuration sets both https://other.example (url) and https://staging.example (defaultTarget); remove one of them",
    },
  ])("refused: $name", ({ selection, says, config: other = config }) => {
    expect(() => chooseTarget(selection, other)).toThrow(HarnessError);
    expect(() => chooseTarget(selection, other)).toThrow(says);
  });
});
