import { HarnessError } from "@assay/contract";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundleScenario } from "./bundle-scenario.ts";
import { scenarioFolder } from "./scenario-folder.ts";
import { scenarioNames } from "./scenario-names.ts";
import { unsupportedScripts, usingScript } from "./testing/unsupported-scripts.ts";

const fixture = (name: string): string => join(scenarioFolder, "fixtures", `${name}.ts`);

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "assay-bundle-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const bundle = async (scenario: string): Promise<{ readonly sha256: string; readonly code: string }> => {
  const outFile = join(folder, "of-its-own", "scenario.js");
  const { sha256 } = await bundleScenario({ scenario, outFile });
  return { sha256, code: await readFile(outFile, "utf8") };
};

/** Writes a script of the user. */
async function scriptOf(text: string): Promise<string> {
  const path = join(folder, "script.ts");
  await writeFile(path, text);
  return path;
}

const importsOf = (code: string): readonly string[] => [
  ...new Set([...code.matchAll(/^(?:import|export) [^;]*?from "([^"]+)"/gmu)].map(([, source = ""]) => source)),
];

describe("a script for k6", () => {
  test.each(scenarioNames)("of %s imports nothing but modules of k6", async (name) => {
    const { code } = await bundle(name);
    expect(importsOf(code).filter((source) => !/^k6(?:$|\/)/u.test(source))).toEqual([]);
    expect(importsOf(code)).toContain("k6/x/assay");
  });

  test("is small, since it contains only the used parts of the contract", async () => {
    expect((await bundle("mixed")).code.length).toBeLessThan(60_000);
  });

  test("is the same each time, and has the returned digest", async () => {
    const first = await bundle("mixed");
    expect(await bundle("mixed")).toEqual(first);
    expect(first.sha256).toMatch(/^[\da-f]{64}$/u);
  });

  test("may come from a file in any folder, with the same digest", async () => {
    const elsewhere = join(folder, "own-search.ts");
    await cp(fixture("own-search"), elsewhere);
    const { sha256, code } = await bundle(elsewhere);
    expect(code).toContain("/.api/search/stream");
    expect(sha256).toBe((await bundle(fixture("own-search"))).sha256);
  });

  test("has no syntax that the bundler can transform", async () => {
    expect((await bundle(await scriptOf(usingScript))).code).not.toMatch(/\busing held\b/u);
  });

  const failureOf = async (scenario: string): Promise<unknown> => bundle(scenario).catch((error: unknown) => error);

  test.each(unsupportedScripts)("is refused with $name", async ({ text, code, says }) => {
    const failure = await failureOf(await scriptOf(text));
    expect(failure).toBeInstanceOf(HarnessError);
    expect(failure).toMatchObject({ code, message: expect.stringContaining(says) });
    // One line without the colours of a terminal.
    expect(failure).toMatchObject({ message: expect.stringMatching(/^[\x20-\x7E]*\.$/u) });
  });

  test.each([
    { scenario: "search-frist-match", code: "unknown-scenario", says: "choose one of search-first-match, " },
    { scenario: "nowhere/own.ts", code: "unreadable-scenario", says: "there is no file" },
  ])("is refused for $scenario", async ({ scenario, code, says }) => {
    expect(await failureOf(scenario)).toMatchObject({ code, message: expect.stringContaining(says) });
  });

  test("cannot be written if a file is in the way", async () => {
    const failure = bundleScenario({ scenario: "mixed", outFile: join(fixture("throwing"), "scenario.js") });
    await expect(failure).rejects.toMatchObject({ code: "not-written" });
  });
});
