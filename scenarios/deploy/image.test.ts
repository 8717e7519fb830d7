import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { findImageProblems } from "./image-problems.ts";

const root = new URL("../../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), "utf8");
const dockerfile = read("scenarios/deploy/Dockerfile");
const exists = (path: string): boolean => existsSync(new URL(path, root));

test("the images are pinned, do not run as root, contain no secret and copy existing files", () => {
  expect(findImageProblems(dockerfile, exists)).toEqual([]);
});

test("k6 is built with the version of Go that the workflows have, and the runner and merge images are the one of Assay", () => {
  const [, version] = /^FROM golang:(\S+) AS k6$/mu.exec(dockerfile) ?? [];
  expect(read(".github/workflows/release.yml")).toContain(`GOTOOLCHAIN: go${version}`);
  expect(dockerfile).toContain("FROM assay AS runner");
  expect(dockerfile).toContain("FROM assay AS merge");
});

test("files that may contain a secret of this machine are not sent to the build", () => {
  const ignored = read("scenarios/deploy/Dockerfile.dockerignore").split("\n");
  expect(ignored).toEqual(expect.arrayContaining([".git", "**/.env", "reports", "assay.config.*", "**/node_modules"]));
});

describe("a Dockerfile is refused", () => {
  test.each([
    {
      name: "with a moving tag",
      from: "FROM golang:1.26.8",
      to: "FROM golang:latest",
      says: /golang:latest AS k6 is not pinned/u,
    },
    { name: "with half a version", from: "FROM golang:1.26.8", to: "FROM golang:1.26", says: /not pinned/u },
    { name: "without a tag", from: "node:20.20.2-slim AS assay", to: "node AS assay", says: /not pinned/u },
    {
      name: "from a stage that follows",
      from: "FROM assay AS runner",
      to: "FROM merge AS runner",
      says: /not pinned/u,
    },
    { name: "that runs as root", from: "USER 12345:12345\n", to: "", says: /the stage runner runs as root/u },
    { name: "that goes back to root", from: /$/u, to: "USER 0:0\n", says: /runs as 0:0/u },
    {
      name: "that copies a missing file",
      from: "COPY packages/",
      to: "COPY package/",
      says: /package\/ does not exist/u,
    },
    {
      name: "that copies from an unknown stage",
      from: "--from=k6",
      to: "--from=k7",
      says: /a stage that does not exist/u,
    },
    { name: "that takes a token", from: "WORKDIR /k6", to: "ARG ASSAY_TOKEN", says: /leave a secret/u },
  ])("$name", ({ from, to, says }) => {
    const changed = dockerfile.replace(from, to);
    expect(changed).not.toBe(dockerfile);
    expect(findImageProblems(changed, exists).join("\n")).toMatch(says);
  });
});
