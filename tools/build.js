import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { bundleCommand } from "./bundle-command.js";
import { isProgramCurrent, createSourceStamp, writeStamp } from "./compiled-program.js";

/** `npm run build`: compiles all packages, and bundles the command if it is older than its sources. */
const root = fileURLToPath(new URL("..", import.meta.url));
// Created before compilation, so that a change during it is compiled the next time.
const stamp = createSourceStamp();
const { status } = spawnSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`, "-b", "tools"], {
  cwd: root,
  stdio: "inherit",
});
if (status === 0 && !isProgramCurrent()) {
  await bundleCommand();
  writeStamp(stamp);
}
process.exitCode = status ?? 1;
