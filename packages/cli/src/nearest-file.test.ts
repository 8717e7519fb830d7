import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findNearestPath } from "./nearest-file.ts";
import { temporaryFolder } from "./testing/temporary-folder.ts";

const cwd = temporaryFolder();
mkdirSync(join(cwd, "reports/runs/20260131T120000Z-1a2b3c"), { recursive: true });
mkdirSync(join(cwd, "many"));
writeFileSync(join(cwd, "recorded.sse"), "");
symlinkSync("a-link", join(cwd, "a-link"));
writeFileSync(join(cwd, "reports/runs/20260131T120000Z-1a2b3c/manifest.json"), "{}");
for (let index = 0; index < 1200; index += 1) {
  writeFileSync(join(cwd, `many/one-of-the-many-files-${index}`), "");
}

describe("the intended path", () => {
  test.each([
    ["recoded.sse", "recorded.sse"],
    ["./recoded.sse", "recorded.sse"],
    ["Recorded.SSE", "recorded.sse"],
    ["reports/runs/20260131T120000Z-1a2b3d", "reports/runs/20260131T120000Z-1a2b3c"],
    ["reports/runs/20260131T120000Z-1a2b3d/", "reports/runs/20260131T120000Z-1a2b3c"],
    ["report/runs/20260131T120000Z-1a2b3c", "reports/runs/20260131T120000Z-1a2b3c"],
    ["reports/runs/20260131T120000Z-1a2b3d/manifest.json", "reports/runs/20260131T120000Z-1a2b3c/manifest.json"],
    [join(cwd, "recoded.sse"), join(cwd, "recorded.sse")],
    ["nothing like it", undefined],
    ["recorded.sse", undefined],
    ["a-link", undefined],
    ["recorded.sse/below", undefined],
    ["", undefined],
  ])("of `%s` is `%s`", (typed, near) => {
    expect(findNearestPath(typed, cwd)).toBe(near);
  });

  test("is looked for in a part of a large folder", () => {
    // Which part is the matter of the file system: every name is near.
    expect(findNearestPath("many/one-of-the-many-file-1", cwd)).toMatch(/^many\/one-of-the-many-files-\d+$/u);
  });
});
