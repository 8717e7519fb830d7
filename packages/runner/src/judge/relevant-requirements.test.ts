import type { Finding } from "@assay/contract";
import { describe, expect, test } from "vitest";
import { sortByRelevance } from "./relevant-requirements.ts";

const sentence = (id: string) => ({ id, specification: "search-stream", section: "2.3", text: id });
const all = ["2.3.1-type", "2.3.5-repository-id", "2.3.11-line-matches", "2.3.12-line"].map(sentence);
const order = (finding: Partial<Finding>): readonly string[] =>
  sortByRelevance(all, [{ kind: "violation", message: "", ...finding }]).map(({ id }) => id.replace(/^[\d.]+-/u, ""));

describe("the requirements of a rule", () => {
  test.each([
    { name: "stay in their order without a hint", finding: {}, first: "type" },
    { name: "begin with the member of the pointer", finding: { pointer: "/0/repositoryID" }, first: "repository-id" },
    { name: "begin with the innermost member", finding: { pointer: "/0/lineMatches/2/line" }, first: "line" },
    {
      name: "begin with the member that is quoted",
      finding: { message: "lacks 'lineMatches'" },
      first: "line-matches",
    },
    { name: "ignore what no sentence is about", finding: { pointer: "/0/__proto__/~1" }, first: "type" },
  ])("$name", ({ finding, first }) => {
    expect(order(finding)[0]).toBe(first);
    expect(new Set(order(finding))).toEqual(new Set(["type", "repository-id", "line-matches", "line"]));
  });

  test("stay in their order without a finding", () => {
    expect(sortByRelevance(all, [])).toEqual(all);
  });
});
