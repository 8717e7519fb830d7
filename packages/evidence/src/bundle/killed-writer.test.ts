import { Buffer } from "node:buffer";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readBundle } from "./bundle-reader.ts";
import type { RecordedExchange } from "../recorded-exchange.ts";

let directory = "";
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "assay-bundle-"));
});
afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

const bodyOf = (exchange: RecordedExchange): string =>
  Buffer.concat(Array.from(exchange.chunks(), ({ bytes }) => bytes)).toString();

describe("a killed process", () => {
  let program = "";
  let built = "";

  beforeAll(() => {
    // Node does not run TypeScript in every supported version, so the child runs a bundle of the sources. It lies inside the
    // package so that its dependency is found.
    built = join(import.meta.dirname, "..", "..", ".results", "killed-writer");
    program = join(built, "killed-writer.mjs");
    const rolldown = join(dirname(createRequire(import.meta.url).resolve("rolldown/package.json")), "bin", "cli.mjs");
    const source = join(import.meta.dirname, "..", "testing", "killed-writer.ts");
    execFileSync(process.execPath, [
      rolldown,
      source,
      "--format",
      "esm",
      "--platform",
      "node",
      "--external",
      "write-file-atomic",
      "--file",
      program,
    ]);
  });
  afterAll(() => {
    rmSync(built, { recursive: true, force: true });
  });

  test.each([0, 1, 2, 3, 5, 8, 13, 21])(
    "after about %i exchanges leaves whole lines with their bodies",
    async (count) => {
      const child = spawn(process.execPath, [program, directory], { stdio: ["ignore", "pipe", "inherit"] });
      let written = 0;
      const lines = createInterface(child.stdout);
      lines.on("line", (line) => {
        written = Number(line);
        // Delayed by part of a turn, so that some kills hit the middle of a body and some the middle of a line.
        setTimeout(() => child.kill("SIGKILL"), written >= count ? (count * 0.37) % 1.5 : 60_000).unref();
      });
      await once(child, "close");
      const bundle = await readBundle(directory);
      expect(bundle.isComplete).toBe(false);
      expect(bundle.footer).toBeUndefined();
      expect(bundle.exchanges.length).toBeGreaterThanOrEqual(Math.max(1, written));
      expect(bundle.exchanges.map(({ unreadable }) => unreadable).filter((reason) => reason !== undefined)).toEqual([]);
      expect(
        bundle.exchanges.map((exchange) => bodyOf(exchange).endsWith("event: done\ndata: {}\n\n")).includes(false),
      ).toBe(false);
    },
  );
});
