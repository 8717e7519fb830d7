import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { findManifestProblems } from "../manifest-problems.ts";
import { readManifests } from "../manifest-folder.ts";
import { hasTool } from "../tool-on-path.ts";
import { listBaseImages } from "./base-images.js";
import { findLeftovers } from "./host-state.js";
import { imageNames } from "./image-names.js";
import { writeProofOverlay } from "./proof-overlay.js";
import { coverLoadOnce } from "./segments.js";
import { findFilesWithToken } from "./token-search.js";

const deployFolder = fileURLToPath(new URL("../", import.meta.url));

test.each([
  { name: "the whole", segments: ["0:1"], expected: true },
  { name: "quarters in any order", segments: ["1/2:3/4", "0:1/4", "3/4:1", "1/4:1/2"], expected: true },
  { name: "a missing quarter", segments: ["0:1/4", "1/4:1/2", "3/4:1"], expected: false },
  { name: "the same half twice", segments: ["0:1/2", "0:1/2", "1/2:1"], expected: false },
  { name: "halves that overlap", segments: ["0:2/3", "1/3:1"], expected: false },
  { name: "nothing", segments: [], expected: false },
])("segments: $name", ({ segments, expected }) => {
  expect(coverLoadOnce(segments)).toBe(expected);
});

test("the base images of the Dockerfile are those that have a substitute", () => {
  const dockerfile = readFileSync(join(deployFolder, "Dockerfile"), "utf8");
  expect(listBaseImages(dockerfile).map((image) => image.split(":")[0])).toEqual(["golang", "node"]);
});

test("the names of the images are those of the example", () => {
  const example = ["kustomization.yaml", "test-run.yaml"]
    .map((file) => readFileSync(join(deployFolder, "overlays/example", file), "utf8"))
    .join("\n");
  expect(example).toContain(imageNames.runner);
  const [, name, tag] = /^(.*):(.*)$/u.exec(imageNames.merge) ?? [];
  expect(example).toContain(`newName: ${name}\n    newTag: ${tag}`);
});

describe("leftovers", () => {
  const before = { mount: ["/", "/tmp"], process: [] };
  test.each([
    { name: "nothing", after: before, expected: [] },
    { name: "what ended meanwhile", after: { mount: ["/"], process: [] }, expected: [] },
    {
      name: "a second mount at one place",
      after: { mount: ["/", "/tmp", "/tmp"], process: [] },
      expected: ["mount: /tmp"],
    },
    { name: "a process", after: { ...before, process: ["etcd (7)"] }, expected: ["process: etcd (7)"] },
  ])("$name", ({ after, expected }) => {
    expect(findLeftovers(before, after)).toEqual(expected);
  });
});

test("the overlay of a proof fits together, and no file in it contains the token", () => {
  const work = mkdtempSync(join(tmpdir(), "assay-overlay-"));
  try {
    const plan = { targets: { base: "http://172.31.0.1:8077" } };
    const { overlay } = writeProofOverlay(work, { name: "assay-load", plan, parallelism: 4 });
    const files = readManifests(new URL(`file://${overlay}/`)).filter(({ file }) => file !== "kustomization.yaml");
    const problems = findManifestProblems(files).filter((problem) => !problem.includes("not listed"));
    expect(problems).toEqual([]);
    expect(findFilesWithToken([work], "sgp_1").found).toEqual([]);
    expect(findFilesWithToken([work], "172.31.0.1").found).toHaveLength(1);
  } finally {
    rmSync(work, { recursive: true });
  }
});

const hasShellcheck = hasTool("shellcheck");
test.skipIf(!hasShellcheck)("shellcheck has nothing to say about the scripts of the proofs", () => {
  const folder = fileURLToPath(new URL(".", import.meta.url));
  const scripts = readdirSync(folder).filter((name) => name.endsWith(".sh"));
  expect(scripts.length).toBeGreaterThan(4);
  const { status, stdout } = spawnSync("shellcheck", scripts, { cwd: folder, encoding: "utf8" });
  expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
});
