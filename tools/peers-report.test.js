import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { schemathesisConfiguration, peerFaults, peerKinds, formatPeersReport } from "./peers-report.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const said = (exitCode, ...spoke) => ({ exitCode, seconds: 1, requests: 2, spoke });
const comparison = (rows) => ({ versions: ["a 1", "b 2"], commands: { assay: "assay run", schemathesis: "st" }, rows });

describe("the compared faults", () => {
  let known;
  beforeAll(() => {
    const command = [`${root}packages/cli/bin/assay.js`, "list", "--faults", "--json"];
    known = JSON.parse(execFileSync(process.execPath, command, { encoding: "utf8" })).map(({ id }) => id);
  });

  test("are faults of the reference server, without duplicates", () => {
    const ids = peerFaults.map(({ fault }) => fault);
    expect(known.filter((id) => ids.includes(id)).toSorted()).toEqual(ids.toSorted());
    expect(ids).toHaveLength(16);
  });

  test("cover exactly the topics of the comparison", () => {
    expect(new Set(peerFaults.map(({ about }) => about))).toEqual(new Set(peerKinds));
  });
});

test("each exception names operations and a reason", () => {
  const blocks = schemathesisConfiguration.trim().split("\n\n");
  expect(blocks.length).toBeGreaterThan(0);
  for (const block of blocks) {
    expect(block).toMatch(/^# .{40,}\n\[\[operations\]\]\ninclude-operation-id = \["\w+"(?:,"\w+")*\]\nchecks\..+$/u);
  }
});

test("the page shows which tool noticed each fault", () => {
  const about = "lists";
  const page = formatPeersReport(
    comparison([
      { about, assay: said(0), schemathesis: said(0) },
      { fault: "one", about, assay: said(1, "`a|b`"), schemathesis: said(1, "w", "x", "y", "z") },
      { fault: "two", about, assay: said(3), schemathesis: said(0) },
      { fault: "three", about, assay: said(0), schemathesis: said(1, "x") },
      { fault: "four", about, assay: said(0), schemathesis: said(0) },
    ]),
  );
  expect(page).toContain("| none | lists | nothing | 0 | 2 | 1 | nothing | 0 | 2 | 1 |");
  expect(page).toContain("| `one` | lists | `a\\|b` | 1 | 2 | 1 | w, x, y, and 1 more | 1 | 2 | 1 |");
  for (const line of [
    "- Both: 1 of 4 (`one`)",
    "- Assay alone: 1 of 4 (`two`)",
    "- schemathesis alone: 1 of 4 (`three`)",
    "- Neither: 1 of 4 (`four`)",
  ]) {
    expect(page.split("\n")).toContain(line);
  }
});

describe("the published page", () => {
  const published = JSON.parse(readFileSync(`${root}reports/benchmarks/peers.json`, "utf8"));

  test("is generated from the numbers in peers.json", () => {
    expect(readFileSync(`${root}reports/benchmarks/peers.md`, "utf8")).toBe(formatPeersReport(published));
  });

  test("has a server without a fault, on which both tools pass, and every fault", () => {
    const [good, ...faults] = published.rows;
    expect([good.fault, good.assay.exitCode, good.schemathesis.exitCode]).toEqual([undefined, 0, 0]);
    expect(faults.map(({ about, fault }) => ({ fault, about }))).toEqual(peerFaults);
  });
});
