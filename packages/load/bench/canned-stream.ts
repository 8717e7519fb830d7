/** `matches` events of every stream but the large one. */
export const smallMatches = 100;
/** All events of such a stream: two `progress`, one `filters` and `done`. */
export const smallEvents = smallMatches + 4;
/** `matches` events of the large stream, and the least bytes of each. */
export const largeMatches = 2;
export const largeEvents = largeMatches + 4;
export const largeEventBytes = 1_000_000;

const eventText = (name: string, data: unknown): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/** The commit of every match; the first digits of it differ in streams of which nothing comes again. */
const commit = "1f0c3b7a9d5e4f60718293a4b5c6d7e8f9012345";
const numberDigits = 8;

/** A result as a search gives it, of about 270 bytes. */
const contentMatch = (index: number, line: string): object => ({
  type: "content",
  path: `cmd/server/handler_${index}.go`,
  repositoryID: 41,
  repository: "code.example/tools/server",
  branches: [""],
  commit,
  hunks: null,
  lineMatches: [{ line, lineNumber: index, offsetAndLengths: [[4, 3]] }],
});

const progress = (matchCount: number, done: boolean): string =>
  eventText("progress", {
    done,
    matchCount,
    durationMs: 12,
    skipped: [],
    ...(done ? { repositoriesCount: 1 } : {}),
  });

const filters = eventText("filters", [{ value: "lang:go", label: "Go", count: 2, exhaustive: false, kind: "lang" }]);

/** Events before the first match. */
export const streamHead: Buffer = Buffer.from(progress(0, false));

/** What follows the last match. */
export const streamTail = (matches: number): Buffer =>
  Buffer.from(filters + progress(matches, true) + eventText("done", {}));

const line = "\tif err != nil && retry < limit {";

/** The small `matches` events, one match each. */
export const smallMatchEvents: readonly Buffer[] = Array.from({ length: smallMatches }, (_, index) =>
  Buffer.from(eventText("matches", [contentMatch(index, line)])),
);

/** A first match that says how long after the request it is sent. */
export const stampedMatchEvent = (delayMs: number): Buffer =>
  Buffer.from(eventText("matches", [{ ...contentMatch(0, line), emitterDelayMs: delayMs }]));

/** A whole stream of small events. */
export const smallStream = (): Buffer => Buffer.concat([...smallMatchEvents, streamTail(smallMatches)]);

/** A whole stream whose `matches` events have a megabyte each, in matches of the usual size. */
export function largeStream(): Buffer {
  const one = JSON.stringify(contentMatch(0, line)).length + 1;
  const matches = Array.from({ length: Math.ceil(largeEventBytes / one) }, (_, index) => contentMatch(index, line));
  const event = Buffer.from(eventText("matches", matches));
  return Buffer.concat([
    ...Array.from({ length: largeMatches }, () => event),
    streamTail(largeMatches * matches.length),
  ]);
}

/** Gives a stream again and again, each time with matches that never came before. */
export function withNewMatches(stream: Buffer): () => Buffer {
  const places: number[] = [];
  for (let at = stream.indexOf(commit); at >= 0; at = stream.indexOf(commit, at + 1)) {
    places.push(at);
  }
  let number = 0;
  return () => {
    const fresh = Buffer.from(stream);
    for (const at of places) {
      number += 1;
      fresh.write(number.toString(16).padStart(numberDigits, "0"), at, "latin1");
    }
    return fresh;
  };
}
