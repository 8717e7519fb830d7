import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { computeFileDigest, computeRulesDigest, readManifest, reports } from "./published.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const manifest = readManifest();
const published = Object.values(reports).flatMap(({ files }) => files);

test("every file in reports/ is made by `npm run reports`, and recorded", () => {
  const found = readdirSync(join(root, "reports"), { recursive: true, encoding: "utf8" })
    .map((path) => `reports/${path.replaceAll("\\", "/")}`)
    .filter((path) => statSync(join(root, path)).isFile() && !/^reports\/(made-with\.json|runs\/)/u.test(path));
  expect(found.filter((path) => !published.includes(path))).toEqual([]);
  expect(Object.keys(manifest).toSorted()).toEqual(published.toSorted());
});

test.each(Object.keys(reports))("the report %s is as its program wrote it", (name) => {
  const edited = reports[name].files.filter((file) => manifest[file]?.sha256 !== computeFileDigest(file));
  expect(edited, `made by \`npm run reports -- ${name}\` only`).toEqual([]);
});

/** Reports that were made with fewer rules. An entry goes when its report is made again. */
const madeWithFewerRules = ["load-sample", "mutate"];

const staleFilesOf = ({ files }) => files.filter((file) => manifest[file]?.rules !== computeRulesDigest());

test.each(
  Object.entries(reports).filter(([name, { usesRules = true }]) => usesRules && !madeWithFewerRules.includes(name)),
)("the report %s was made with the rules of today", (name, report) => {
  expect(staleFilesOf(report), `run \`npm run reports -- ${name}\``).toEqual([]);
});

test.each(madeWithFewerRules)("the report %s is an exception that is still needed", (name) => {
  expect(staleFilesOf(reports[name])).toEqual(reports[name].files);
});

test("every report names the commit that it was made at", () => {
  expect(Object.values(manifest).filter(({ commit }) => !/^[0-9a-f]{12}$/u.test(commit))).toEqual([]);
});
