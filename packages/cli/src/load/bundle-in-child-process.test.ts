import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { bundleInChildProcess } from "./bundle-in-child-process.ts";

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

describe("a script for k6 bundled in a child process", () => {
  test("equals one bundled in this process", async () => {
    const there = await bundleInChildProcess({ scenario, outFile: join(folder, "there.js") }, compiled);
    const here = await bundleInChildProcess({ scenario, outFile: join(folder, "here.js") }, join(folder, "none.js"));
    expect(there).toEqual(here);
    expect(existsSync(join(folder, "there.js"))).toBe(true);
  });

  test("fails like one bundled in this process", async () => {
    const unfit = fileWith("unfit.ts", 'import fs from "node:fs"; export default () => { fs.readFileSync("x"); };');
    const outFile = join(folder, "unfit.js");
    await expect(bundleInChildProcess({ scenario: unfit, outFile }, compiled)).rejects.toMatchObject({
      code: "not-bundled",
      sentence: expect.stringContaining("a module of Node, which k6 does not have"),
    });
  });

  test.each([
    ["ends at once", "process.exit(7);", "ended with 7"],
    ["ends when it gets a request", "process.once('message', () => process.kill(process.pid));", "ended with SIGTERM"],
  ])("is missing if that process %s", async (name, program, why) => {
    const path = fileWith(`${name.replaceAll(" ", "-")}.mjs`, program);
    await expect(bundleInChildProcess({ scenario, outFile: join(folder, "no.js") }, path)).rejects.toMatchObject({
      code: "not-bundled",
      sentence: expect.stringContaining(`the bundling process ${why}; try again`),
    });
  });
});
