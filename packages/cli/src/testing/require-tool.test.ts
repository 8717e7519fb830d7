import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { hasTool } from "./require-tool.ts";

const folder = mkdtempSync(join(tmpdir(), "assay-tools-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(join(folder, "tool"), "#!/bin/sh\n");
chmodSync(join(folder, "tool"), 0o700);
writeFileSync(join(folder, "text"), "", { mode: 0o600 });

const env = { PATH: `:/nowhere:${folder}`, ASSAY_REQUIRE: "git, tool,missing" };

describe("a tool", () => {
  test.each([
    { name: "tool", there: true },
    { name: "text", there: false },
    { name: "other", there: false },
  ])("$name is there: $there", ({ name, there }) => {
    expect(hasTool(name, env)).toBe(there);
  });

  test("that is required and missing fails", () => {
    expect(() => hasTool("missing", env)).toThrow("missing is not installed, but ASSAY_REQUIRE says that it has to be");
  });

  test("is missing without a path, and not required without the variable", () => {
    expect(hasTool("tool", {})).toBe(false);
  });
});
