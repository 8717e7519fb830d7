import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createDefaultPlan } from "@assay/scenarios";
import { expect, test } from "vitest";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { prepareFolder } from "./load-folder.ts";

const { conversation: _none, ...usual } = createDefaultPlan("search-first-match");
const folder = temporaryFolder();

const prepared = (scenario: string, name: string) =>
  prepareFolder({
    folder: join(folder, name),
    runId: name,
    plan: { ...usual, targets: { base: "http://127.0.0.1" } },
    targets: { base: { url: "http://127.0.0.1", embedded: false } },
    scenario,
  });

test("a script that does not import k6/x/assay is refused, since it leaves no samples", async () => {
  const own = join(folder, "own.js");
  writeFileSync(own, 'import http from "k6/http"; export default () => { http.get("http://127.0.0.1"); };');
  await expect(prepared(own, "refused")).rejects.toThrow(`${own} does not import k6/x/assay`);
  expect(await prepared("search-first-match", "accepted")).toMatch(/^[\da-f]{64}$/u);
});
