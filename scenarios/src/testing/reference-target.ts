import { spawn } from "node:child_process";
import { join } from "node:path";
import { scenarioFolder } from "../scenario-folder.ts";

/** A reference server in another process. */
export interface ReferenceTarget {
  readonly url: string;
  readonly token: string;
  stop(): Promise<void>;
}

const program = join(scenarioFolder, "..", "packages", "cli", "bin", "assay.js");

const textOf = (json: unknown, name: string): string => {
  const value: unknown = typeof json === "object" && json !== null ? Reflect.get(json, name) : undefined;
  if (typeof value !== "string") {
    throw new TypeError(`the reference server did not print its ${name}`);
  }
  return value;
};

/**
 * Starts the reference server on this checkout, with the given faults. The seed is fixed. Repeated searches are
 * answered from memory, in a tenth of the time. Questions take more than half a second, so that a busy machine still
 * polls them several times.
 */
export async function startReferenceTarget(...faults: readonly string[]): Promise<ReferenceTarget> {
  const flags = ["--json", "--frozen", "--seed", "1", "--latency-factor", "5"];
  const args = [program, "serve", ...flags, ...faults.flatMap((fault) => ["--fault", fault])];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding("utf8").once("data", resolve);
    child.once("close", () => reject(new Error("the reference server ended before it was ready")));
  });
  const ready: unknown = JSON.parse(line);
  return {
    url: textOf(ready, "url"),
    token: textOf(ready, "token"),
    async stop() {
      child.kill();
      await ended;
    },
  };
}
