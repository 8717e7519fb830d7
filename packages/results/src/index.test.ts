import { expect, test } from "vitest";

test("the package can be loaded", async () => {
  const offered = await import("./index.ts");
  expect(Object.keys(offered)).toContain("concludeRun");
  expect(Object.values(offered)).not.toContain(undefined);
});
