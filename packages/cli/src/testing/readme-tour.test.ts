import { describe, expect, test } from "vitest";
import { tourOf } from "./readme-tour.ts";

const readme = [
  "# Title",
  "## Before",
  "```sh",
  "never",
  "```",
  "## Tour",
  "```sh",
  "one --a   # a remark",
  "two   # exit code 1",
  "```",
  "```text",
  "  ✗ failed",
  "",
  "  three",
  "```",
  "## After",
  "```sh",
  "never",
  "```",
].join("\n");

describe("the tour of a README", () => {
  test("is the commands of its section, with the exit codes and the output that are shown", () => {
    expect(tourOf(`${readme}\n`, "Tour")).toEqual([
      { command: "one --a   # a remark", exitCode: 0, shown: [] },
      { command: "two", exitCode: 1, shown: ["✗ failed", "three"] },
    ]);
  });

  test("is empty where there is no such section", () => {
    expect(tourOf(readme, "Nothing")).toEqual([]);
  });

  test("cannot show output before any command", () => {
    expect(() => tourOf("\n## Tour\n```text\nx\n```\n", "Tour")).toThrow("before any command");
  });
});
