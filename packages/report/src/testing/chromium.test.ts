import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { chromiumPath } from "./chromium.ts";

const folder = mkdtempSync(join(tmpdir(), "assay-chromium-"));
const program = join(folder, "google-chrome");
writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 });
afterAll(() => rmSync(folder, { recursive: true }));

test("ASSAY_CHROMIUM has precedence", () => {
  expect(chromiumPath({ ASSAY_CHROMIUM: program, PATH: "/usr/bin" })).toBe(program);
});

test("ASSAY_CHROMIUM that is not executable is an error", () => {
  expect(() => chromiumPath({ ASSAY_CHROMIUM: join(folder, "absent"), PATH: folder })).toThrow(
    /not an executable file/u,
  );
});

test("a browser on PATH is found if Debian has none", () => {
  expect(chromiumPath({ PATH: `/nowhere::${folder}` }, "/nowhere/chromium")).toBe(program);
});

test("without a browser there is no path, or an error if ASSAY_REQUIRE names chromium", () => {
  expect(chromiumPath({ PATH: "", ASSAY_REQUIRE: "git" }, "/nowhere/chromium")).toBeUndefined();
  expect(() => chromiumPath({ PATH: "", ASSAY_REQUIRE: "git, chromium" }, "/nowhere/chromium")).toThrow(
    "chromium is not installed, but ASSAY_REQUIRE requires it",
  );
});
