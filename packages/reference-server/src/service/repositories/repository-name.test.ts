import fc from "fast-check";
import { expect, test } from "vitest";
import { computeRepositoryId, chooseRepositoryName } from "./repository-name.ts";

test.each([
  { remote: "https://git.example.org/team/app.git", name: "git.example.org/team/app" },
  { remote: "https://user:secret@git.example.org/team/app", name: "git.example.org/team/app" },
  { remote: "ssh://git@git.example.org:2222/team/app.git", name: "git.example.org/team/app" },
  { remote: "git@git.example.org:team/app.git", name: "git.example.org/team/app" },
  { remote: "git.example.org:team/app", name: "git.example.org/team/app" },
  { remote: "/srv/git/app.git", name: "local/checkout" },
  { remote: "../app", name: "local/checkout" },
  { remote: "file:///srv/git/app.git", name: "local/checkout" },
  { remote: String.raw`C:\git\app`, name: "local/checkout" },
  { remote: "", name: "local/checkout" },
  { remote: undefined, name: "local/checkout" },
])("the remote $remote gives the name $name", ({ name, remote }) => {
  expect(chooseRepositoryName("/somewhere/checkout", remote)).toBe(name);
});

test("an id is a stable positive signed 32-bit number", () => {
  fc.assert(
    fc.property(fc.string(), (name) => {
      const id = computeRepositoryId(name);
      expect(id).toBe(computeRepositoryId(name));
      expect(Number.isInteger(id) && id > 0 && id < 2 ** 31).toBe(true);
    }),
  );
});
