import { readdirSync, readFileSync } from "node:fs";
import { exitCodes } from "@assay/results";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { createAssayProgram } from "../assay-program.ts";
import { createCiFile } from "./ci-template.ts";
import { createConfigText } from "./config-template.ts";
import { testContext } from "../testing/test-context.ts";

const folder = new URL("../../docs/ci/", import.meta.url);
const examples = readdirSync(folder).map((name) => ({ name, text: readFileSync(new URL(name, folder), "utf8") }));
const settings = { action: `acme/assay@${"a".repeat(40)}`, config: "tools/assay.config.ts" };
const written = [
  { name: "github", text: createCiFile("github", settings)?.text ?? "" },
  { name: "github without an action", text: createCiFile("github", { config: "tools/assay.config.ts" })?.text ?? "" },
  { name: "gitlab", text: createCiFile("gitlab", { config: "tools/assay.config.ts" })?.text ?? "" },
];
const plain = examples.filter(({ name }) => !name.startsWith("github"));
const gitlab = [...examples, ...written].filter(({ name }) => name.includes("gitlab"));

const { program } = await createAssayProgram(testContext());
const globalFlags = program.options.map(({ long }) => long);

/** Every call of the command in a script, with its flags. */
const callsIn = (text: string): readonly { readonly command: string; readonly flags: readonly string[] }[] =>
  [...text.matchAll(/(?:assay\.js|\bassay)((?: --config "\$\w+")?) ([a-z]+)( --[^\n|]*)/gu)].map(
    ([, before = "", command = "", rest = ""]) => ({
      command,
      flags: [...`${before}${rest}`.matchAll(/ (--[a-z-]+)/gu)].map(([, flag = ""]) => flag),
    }),
  );

describe("the examples for pipelines", () => {
  test("are these", () => {
    expect(examples.map(({ name }) => name).toSorted()).toEqual([
      "Jenkinsfile",
      "azure-pipelines.yml",
      "buildkite.yml",
      "circleci.yml",
      "github-comment.yml",
      "github-gate.yml",
      "github-nightly-load.yml",
      "github-verify-release.yml",
      "gitlab-ci.yml",
    ]);
  });

  test.each([...examples.filter(({ name }) => name.endsWith(".yml")), ...written])(
    "$name is YAML, and begins with what it is for",
    ({ text }) => {
      expect(parse(text)).toBeTypeOf("object");
      expect(text).toMatch(/^# [A-Z]/u);
      expect(text).not.toMatch(/\/home\/|\/work\/|registry|localhost/u);
    },
  );

  test.each([...plain, ...written.filter(({ name }) => name === "gitlab")])(
    "$name calls the command as it can be called",
    ({ text }) => {
      const calls = callsIn(text);
      expect(calls.length).toBeGreaterThan(0);
      for (const { command, flags } of calls) {
        const known = program.commands.find((each) => each.name() === command)?.options.map(({ long }) => long) ?? [];
        expect([...known, ...globalFlags]).toEqual(expect.arrayContaining([...flags]));
      }
    },
  );

  test.each(gitlab)("$name lets nothing pass that the command calls a failure", ({ text }) => {
    const { assay: job } = parse(text);
    const codes: ReadonlySet<number> = new Set(exitCodes.map(({ code }) => code));
    expect(job.allow_failure.exit_codes.filter((code: number) => codes.has(code))).toEqual([]);
    expect(job.resource_group).toBe("assay-staging");
    expect(job.artifacts).toMatchObject({
      when: "always",
      reports: { junit: "assay-run/junit.xml", codequality: "assay-run/gl-code-quality-report.json" },
    });
  });

  const read = (path: string): string => readFileSync(new URL(`../../../../${path}`, import.meta.url), "utf8");
  test.each([
    { name: "the first configuration", text: createConfigText("ts") },
    { name: "the guide", text: read("packages/cli/docs/configure.md").match(/```ts\n[^]+?```/u)?.[0] ?? "" },
  ])("$name names no variable of a token that the workflow does not set", ({ text }) => {
    const named = [...text.matchAll(/\b[A-Z][A-Z_]*_TOKEN\b/gu)].map(([variable]) => variable);
    const given = new Set(
      [...read(".github/workflows/gate.yml").matchAll(/^ +(ASSAY_\w+): \$\{\{ secrets/gmu)].map(([, name]) => name),
    );
    expect(given.size).toBeGreaterThan(5);
    expect(text).toContain("targets");
    expect(named.filter((variable) => variable !== "SRC_ACCESS_TOKEN" && !given.has(variable))).toEqual([]);
  });

  test("of one instance for GitHub wait for each other", () => {
    const groupOf = (text: string): unknown => {
      const { concurrency, with: inputs } = parse(text).jobs[/^ {2}(gate|load):/mu.exec(text)?.[1] ?? ""];
      return concurrency?.group ?? `assay-target-${inputs["concurrency-group"]}`;
    };
    const texts = [...examples, ...written]
      .filter(({ name }) => /^github(?: without|-gate|-nightly|$)/u.test(name))
      .map(({ text }) => groupOf(text));
    expect(texts).toEqual(Array.from({ length: 4 }, () => "assay-target-staging"));
  });

  test("name a target that the configuration has", () => {
    expect(createConfigText("ts")).toMatch(/^ {4}staging: \{$/mu);
    expect(written.every(({ text }) => /target:? staging/u.test(text))).toBe(true);
  });
});
