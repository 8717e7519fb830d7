import { readdirSync, readFileSync } from "node:fs";

const folder = new URL("../../fixtures/streams/", import.meta.url);

export interface FixtureStream {
  readonly name: string;
  /** What a full check says of it: the first part of the file name. */
  readonly expected: string;
  readonly bytes: Buffer;
}

/** The committed streams; a file is called `<expected>.<rule>.<what>.sse` or `conforms.<what>.sse`. */
export function fixtureStreams(): readonly FixtureStream[] {
  return readdirSync(folder)
    .sort()
    .map((file) => ({
      name: file.replace(/\.sse$/u, ""),
      expected: file.slice(0, file.indexOf(".")),
      bytes: readFileSync(new URL(file, folder)),
    }));
}
