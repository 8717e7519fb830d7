import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const page = readFileSync(join(root, "packages/cli/docs/architecture.md"), "utf8");

const folders = [
  ...readdirSync(join(root, "packages")).map((name) => `packages/${name}/src`),
  ...["lib", "k6", "src"].map((name) => `scenarios/${name}`),
];
const sources = folders
  .filter((folder) => existsSync(join(root, folder)))
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`),
  );
const fileOf = (name: string): string | undefined => sources.find((file) => `/${file}`.endsWith(`/${name}`));

test("files and folders that the page names exist", () => {
  const named = [...page.matchAll(/`([\w./-]+(?:\/[\w-]+|\.(?:tsx?|go)))`/gu)].flatMap(([, name = ""]) => name);
  expect(named.length).toBeGreaterThan(50);
  const isThere = (name: string): boolean =>
    ["", "packages"].some((folder) => existsSync(join(root, folder, name))) || fileOf(name) !== undefined;
  expect(named.filter((name) => !isThere(name))).toEqual([]);
});

test("each name on the page exists in its file", () => {
  const placed = [...page.matchAll(/((?:`\w+`(?: and )?)+) in `([\w./-]+\.(?:ts|go))`/gu)].flatMap(
    ([, names = "", file = ""]) => [...names.matchAll(/\w{4,}/gu)].map(([name]) => ({ name, file })),
  );
  expect(placed.map(({ name }) => name)).toEqual(["defaultStreamLimits", "DefaultLimits", "minPollMs", "maxPollMs"]);
  const holds = ({ name, file }: (typeof placed)[number]): boolean =>
    readFileSync(join(root, fileOf(file) ?? ""), "utf8").includes(name);
  expect(placed.filter((each) => !holds(each))).toEqual([]);
});
