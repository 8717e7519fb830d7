import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isProving } from "./proving.js";
import { root } from "./test-files.js";

// Packs, builds k6, installs from the registry and makes load, on three versions of Node: `npm run prove -- release`.
test.runIf(isProving)(
  "what would be published can be installed and worked with, without a clone and without Go",
  () => {
    const { status, stdout } = spawnSync(process.execPath, [join(root, "packages/config/release-check.js")], {
      cwd: root,
      encoding: "utf8",
    });
    const wrong = stdout.split("\n").filter((line) => line.startsWith("✗"));
    expect({ status, wrong, said: status === 0 ? "" : stdout.slice(-6000) }).toEqual({
      status: 0,
      wrong: [],
      said: "",
    });
  },
  900_000,
);
