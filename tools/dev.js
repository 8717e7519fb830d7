import { spawn } from "node:child_process";
import { join } from "node:path";
import { root, testedNames } from "./test-files.js";

/** `npm run dev [-- PACKAGE...]`: compiles changes and runs the affected tests until interrupted, for the named packages or all. */
const names = process.argv.slice(2);
const unknownName = names.find((name) => !testedNames.includes(name));

function startProgram(program, args) {
  const child = spawn(process.execPath, [join(root, "node_modules", program), ...args], {
    cwd: root,
    stdio: "inherit",
  });
  // If one process ends, the other one must not continue alone, because that would look like both are running.
  child.on("exit", (code) => process.exit(code ?? 1));
  return child;
}

/** Vitest projects have the names of the packages. */
const projects = names.map((name) => `--project=@assay/${name}`);

if (unknownName === undefined) {
  const children = [
    startProgram("typescript/bin/tsc", ["-b", "tools", "--watch", "--preserveWatchOutput"]),
    startProgram("vitest/vitest.mjs", [
      "watch",
      "--changed",
      "--config",
      join(root, "tools/vitest.workspace.js"),
      ...projects,
    ]),
  ];
  process.on("exit", () => children.forEach((child) => child.kill()));
} else {
  process.stderr.write(`unknown package ${unknownName}; choose from ${testedNames.join(", ")}\n`);
  process.exitCode = 2;
}
