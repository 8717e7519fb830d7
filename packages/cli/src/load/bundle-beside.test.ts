import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { bundleBeside } from "./bundle-beside.ts";

const folder = temporaryFolder();
const compiled = fileURLToPath(new URL("../../dist/bundle/bundle-process.js", import.meta.url));

function fileWith(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const scenario = fileWith(
  "own.js",
  'import http from "k6/http"; export default () => { http.get("http://127.0.0.1"); };',
);

describe("a script for k6 that a process of its own makes", () => {
  test("is the one that would be made here", async () => {
    const there = await bundleBeside({ scenario, outFile: join(folder, "there.js") }, compiled);
    const here = await bundleBeside({ scenario, outFile: join(folder, "here.js") }, join(folder, "none.js"));
    expect(there).toEqual(here);
    expect(existsSync(join(folder, "there.js"))).toBe(true);
  });

  test("fails as it would here", async () => {
    const unfit = fileWith("unfit.ts", 'import fs from "node:fs"; export default () => { fs.readFileSync("x"); };');
    const outFile = join(folder, "unfit.js");
    await expect(bundleBeside({ scenario: unfit, outFile }, compiled)).rejects.toMatchObject({
      code: "not-bundled",
      sentence: expect.stringContaining("a module of Node, which k6 does not have"),
    });
  });

  test.each([
    ["ends at once", "process.exit(7);", "ended with 7"],
    ["ends when it is asked", "process.once('message', () => process.kill(process.pid));", "ended with SIGTERM"],
  ])("is not there where that process %s", async (name, program, why) => {
    const path = fileWith(`${name.replaceAll(" ", "-")}.mjs`, program);
    await expect(bundleBeside({ scenario, outFile: join(folder, "no.js") }, path)).rejects.toMatchObject({
      code: "not-bundled",
      sentence: expect.stringContaining(`the process that bundles it ${why}; try again`),
    });
  });
});
