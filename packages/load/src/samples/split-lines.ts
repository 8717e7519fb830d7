import { StringDecoder } from "node:string_decoder";

export interface LineSink {
  readonly onLine: (line: string) => void;
  /** Called instead of `onLine` for a line that exceeds the limit. */
  readonly onLongLine: () => void;
}

/** Splits UTF-8 bytes into lines at `\n`. Keeps `\r`. */
export interface LineSplitter {
  readonly push: (chunk: Uint8Array) => void;
  /** Ends the input. Drops an unterminated last line. Reports whether there was one. */
  readonly end: () => boolean;
}

/** Creates a splitter that buffers at most one line of at most `maxCharacters` UTF-16 code units. */
export const createLineSplitter = (maxCharacters: number, sink: LineSink): LineSplitter => {
  const decoder = new StringDecoder("utf8");
  let pendingText = "";
  let isTooLong = false;
  const append = (text: string): void => {
    isTooLong ||= pendingText.length + text.length > maxCharacters;
    pendingText = isTooLong ? "" : pendingText + text;
  };
  const endLine = (text: string): void => {
    append(text);
    const line = pendingText;
    pendingText = "";
    if (isTooLong) {
      isTooLong = false;
      sink.onLongLine();
    } else {
      sink.onLine(line);
    }
  };
  return {
    push: (chunk) => {
      const text = decoder.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
      let from = 0;
      for (let to = text.indexOf("\n"); to >= 0; to = text.indexOf("\n", from)) {
        endLine(text.slice(from, to));
        from = to + 1;
      }
      append(text.slice(from));
    },
    end: () => decoder.end() !== "" || pendingText !== "" || isTooLong,
  };
};
