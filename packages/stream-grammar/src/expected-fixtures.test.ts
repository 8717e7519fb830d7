import { expect, test } from "vitest";
import { checkStream } from "./testing/check-stream.ts";
import { fixtureStreams } from "./testing/fixture-streams.ts";
import { judgement } from "./testing/judgement.ts";
import { streamMixtures } from "./testing/stream-mixtures.ts";

// The checker inside k6 must agree with the same files. After an intended change: `npx vitest run -u`.

test("the checker agrees with the committed results of each stream", async () => {
  const all = Object.fromEntries(fixtureStreams().map(({ name, bytes }) => [`${name}.sse`, judgement(bytes)]));
  await expect(`${JSON.stringify(all, null, 2)}\n`).toMatchFileSnapshot("../fixtures/expected.json");
});

test("the checker agrees with the committed results of mixed streams", async () => {
  const lines = streamMixtures(400).map(({ bytes, maxLineBytes }) => {
    const isLimited = checkStream([bytes], { maxLineBytes }).findings.some(({ kind }) => kind === "limit");
    return JSON.stringify({
      base64: bytes.toString("base64"),
      maxLineBytes,
      isLimited,
      ...judgement(bytes, { maxLineBytes }),
    });
  });
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("../fixtures/mixtures.ndjson");
});
