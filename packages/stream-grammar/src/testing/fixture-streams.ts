import { readdirSync, readFileSync } from "node:fs";

const folder = new URL("../../fixtures/streams/", import.meta.url);

export interface FixtureStream {
  readonly name: string;
  /** Expected result of a full check: the first part of the file name. */
  readonly expected: string;
  readonly bytes: Buffer;
}

/** The committed streams. A file is named `<expected>.<rule>.<what>.sse` or `conforms.<what>.sse`. */
export function fixtureStreams(): readonly FixtureStream[] {
  return readdirSync(folder)
    .sort()
    .map((file) => ({
      name: file.replace(/\.sse$/u, ""),
      expected: file.slice(0, file.indexOf(".")),
      bytes: readFileSync(new URL(file, folder)),
    }));
}
