import { describe, expect, test } from "vitest";
import { printedSteps } from "./printed-steps.ts";

const page = [
  "# Title",
  "```sh",
  "one --a   # a remark",
  "two   # exit code 1",
  "```",
  "```text",
  "  ✗ failed",
  "",
  "  three",
  "```",
  "```ts",
  "never();",
  "```",
  "```sh",
  "four --b \\",
  "  --c",
  "```",
  "```yaml",
  "- run: five",
  "- name: six",
  "  run: six",
  "```",
].join("\n");

describe("the commands of a page", () => {
  test("have the exit codes and the output that are shown, and continue after a backslash", () => {
    expect(printedSteps(`${page}\n`)).toEqual([
      { command: "one --a   # a remark", exitCode: 0, shown: [] },
      { command: "two", exitCode: 1, shown: ["✗ failed", "three"] },
      { command: "four --b --c", exitCode: 0, shown: [] },
      { command: "five", exitCode: 0, shown: [] },
      { command: "six", exitCode: 0, shown: [] },
    ]);
  });

  test("cannot show output before any command", () => {
    expect(() => printedSteps("\n```text\nx\n```\n")).toThrow("before any command");
  });
});
