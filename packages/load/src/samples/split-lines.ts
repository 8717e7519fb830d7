import { StringDecoder } from "node:string_decoder";

/** Receives lines. */
export interface LineSink {
  readonly onLine: (line: string) => void;
  /** Called instead of `onLine` for a line beyond the limit. */
  readonly onLongLine: () => void;
}

/** Splits bytes into lines. */
export interface LineSplitter {
  readonly push: (chunk: Uint8Array) => void;
  /** Ends the input. Reports whether it ended inside a line, which is dropped. */
  readonly end: () => boolean;
}

/** Creates a splitter that buffers at most one line of at most `maxCharacters`. */
export const createLineSplitter = (maxCharacters: number, sink: LineSink): LineSplitter => {
  const decoder = new StringDecoder("utf8");
  let heldText = "";
  let isTooLong = false;
  const hold = (text: string): void => {
    isTooLong ||= heldText.length + text.length > maxCharacters;
    heldText = isTooLong ? "" : heldText + text;
  };
  const finish = (text: string): void => {
    hold(text);
    const line = heldText;
    heldText = "";
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
        finish(text.slice(from, to));
        from = to + 1;
      }
      hold(text.slice(from));
    },
    end: () => decoder.end() !== "" || heldText !== "" || isTooLong,
  };
};
