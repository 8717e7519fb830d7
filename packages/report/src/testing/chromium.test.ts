import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { chromiumPath } from "./chromium.ts";

const folder = mkdtempSync(join(tmpdir(), "assay-chromium-"));
const program = join(folder, "google-chrome");
writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 });
afterAll(() => rmSync(folder, { recursive: true }));

test("the program that ASSAY_CHROMIUM names is taken before all others", () => {
  expect(chromiumPath({ ASSAY_CHROMIUM: program, PATH: "/usr/bin" })).toBe(program);
});

test("a name in ASSAY_CHROMIUM that is no program is said, not passed over", () => {
  expect(() => chromiumPath({ ASSAY_CHROMIUM: join(folder, "absent"), PATH: folder })).toThrow(
    /no program that can be run/u,
  );
});

test("a browser on the path is found where Debian's place is empty", () => {
  expect(chromiumPath({ PATH: `/nowhere::${folder}` }, "/nowhere/chromium")).toBe(program);
});

test("without any, tests are skipped, but fail where it is required", () => {
  expect(chromiumPath({ PATH: "", ASSAY_REQUIRE: "git" }, "/nowhere/chromium")).toBeUndefined();
  expect(() => chromiumPath({ PATH: "", ASSAY_REQUIRE: "git, chromium" }, "/nowhere/chromium")).toThrow(
    "chromium is not installed, but ASSAY_REQUIRE says that it has to be",
  );
});
