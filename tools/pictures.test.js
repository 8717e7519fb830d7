import { readFileSync, readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { getThemeFiles, pictureFolder, pictures } from "./pictures.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = join(root, pictureFolder);
const guides = [
  join(root, "README.md"),
  ...readdirSync(folder)
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(folder, name)),
];
const named = guides.flatMap((path) =>
  [...readFileSync(path, "utf8").matchAll(/(?:src|srcset)="(?<file>[^"]+\.png)"/gu)].map(({ groups }) =>
    basename(groups.file),
  ),
);
const made = pictures.flatMap((picture) => Object.values(getThemeFiles(picture)));

test("guides name exactly the pictures that npm run pictures makes", () => {
  expect([...new Set(named)].toSorted()).toEqual(made.toSorted());
});

test.each(made)("%s exists and is a small PNG", (file) => {
  const path = join(folder, file);
  expect(readFileSync(path).subarray(1, 4).toString()).toBe("PNG");
  expect(statSync(path).size).toBeLessThan(160_000);
});
