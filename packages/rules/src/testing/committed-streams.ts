import { readdirSync, readFileSync } from "node:fs";

const folder = new URL("../../../stream-grammar/fixtures/streams/", import.meta.url);

/** A committed stream: `<standing>.<rule>.<what>.sse`, or `conforms.<what>.sse`. */
export interface CommittedStream {
  readonly name: string;
  readonly standing: string;
  /** The rule that the stream violates, if any. */
  readonly rule: string;
  readonly body: Buffer;
}

/** All committed streams, by name. */
export const committedStreams: readonly CommittedStream[] = readdirSync(folder)
  .sort()
  .map((name) => {
    const [standing = "", rule = ""] = name.split(".");
    return { name, standing, rule: `stream/${rule}`, body: readFileSync(new URL(name, folder)) };
  });
