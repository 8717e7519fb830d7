import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { drawSample } from "./proving.js";
import { root } from "./test-files.js";

/** One version of Node in a sample, all three with `--all`: each takes more than a minute. */
const nodes = drawSample(["20", "22", "24"], 3).join(",");

// Packs, builds k6, installs from the registry and makes load: `npm run prove -- release`.
test(
  "what would be published can be installed and worked with, without a clone and without Go",
  { tags: "proof", timeout: 900_000 },
  () => {
    const { status, stdout } = spawnSync(process.execPath, [join(root, "tools/release-check.js"), "--node", nodes], {
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
);
