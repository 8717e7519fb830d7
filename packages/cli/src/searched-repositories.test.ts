import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { copyRepository } from "./testing/git-repository.ts";
import { temporaryFolder } from "./testing/temporary-folder.ts";
import { openSearchedRepositories } from "./searched-repositories.ts";

const folder = temporaryFolder();
const empty = join(folder, "empty");
mkdirSync(empty);
execFileSync("git", ["init", "--quiet", empty]);

test("a named repository is searched, and stays when it is closed", () => {
  const repository = copyRepository(folder);
  const searched = openSearchedRepositories([repository], folder);
  searched.close();
  expect([searched.folders, searched.note, existsSync(repository)]).toEqual([[repository], undefined, true]);
});

test("a named repository without commits is refused", () => {
  expect(() => openSearchedRepositories([empty], folder)).toThrow(
    /empty has no commits, so there is nothing to search/u,
  );
});

test.each([
  {
    name: "of a repository without commits",
    cwd: empty,
    note: /no commits, so the embedded server searches a small sample/u,
  },
  { name: "outside of any repository", cwd: folder, note: /^$/u },
])("a sample takes the place $name, and is gone when it is closed", ({ cwd, note: expected }) => {
  const searched = openSearchedRepositories(undefined, cwd, folder);
  const { folders, note = "" } = searched;
  expect([folders.map((each) => basename(each)), existsSync(join(folders[0] ?? "", ".git"))]).toEqual([
    ["sample"],
    true,
  ]);
  expect(note).toMatch(expected);
  searched.close();
  expect(existsSync(folders[0] ?? "")).toBe(false);
});
