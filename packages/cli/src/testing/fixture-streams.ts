import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../../../stream-grammar/fixtures/streams/", import.meta.url));

/** A committed stream: `<standing>.<rule>.<what>.sse`, or `conforms.<what>.sse`. */
export interface FixtureStream {
  readonly name: string;
  readonly path: string;
  readonly standing: string;
  /** The rule that the file breaks, when it breaks one. */
  readonly rule: string;
}

/** Every committed stream, by name. */
export const fixtureStreams: readonly FixtureStream[] = readdirSync(folder)
  .sort()
  .map((name) => {
    const [standing = "", rule = ""] = name.split(".");
    return { name, path: join(folder, name), standing, rule: `stream/${rule}` };
  });

/** The path of a committed stream. */
export const fixturePath = (name: string): string => join(folder, name);
