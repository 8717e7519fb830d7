import { expect, test } from "vitest";
import { callAssay } from "./testing/call-assay.ts";
import { temporaryFolder } from "./testing/temporary-folder.ts";

const cwd = temporaryFolder();

test("the help of a mistyped command is answered with the nearest name, as the command itself is", async () => {
  const help = await callAssay(["help", "rn"], { cwd });
  expect(help.err).toMatch(/^assay: unknown command 'rn' \(Did you mean run\?\)\nSee `assay --help`\.\n$/u);
  expect(help).toEqual(await callAssay(["rn"], { cwd }));
});

test.each([
  { args: ["help"], shows: "Usage: assay [options]" },
  { args: ["help", "compare"], shows: "Usage: assay compare" },
  { args: ["help", "help"], shows: "Usage: assay [options]" },
])("the help is there for $args", async ({ args, shows }) => {
  const { code, out, err } = await callAssay(args, { cwd });
  expect([code, err]).toEqual([0, ""]);
  expect(out).toContain(shows);
});
