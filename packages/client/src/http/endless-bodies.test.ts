import { createServer } from "node:http";
import { expect, test } from "vitest";
import { createClient } from "../client.ts";
import { createRunClock } from "../run-clock.ts";

test("endless streams are stopped together before they fill the memory", async () => {
  const piece = Buffer.alloc(16 * 1024, "x");
  const server = createServer((_request, response) => {
    const more = (): void => {
      while (!response.destroyed && response.write(piece)) {
        // Until the reader is too slow.
      }
    };
    response.on("drain", more).on("error", () => undefined);
    more();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const limits = { maxBytesInFlight: 1_000_000 };
  const baseUrl = `http://127.0.0.1:${port}`;
  const client = createClient({ baseUrl, clock: createRunClock(), userAgent: "assay/0.0.1", limits });
  const drafts = await Promise.all(
    [1, 2, 3, 4].map(() => client.search({ parameters: [["q", "x"]], credential: "none" })),
  );
  server.closeAllConnections();
  server.close();
  const bytes = drafts
    .flatMap(({ response }) => response?.chunks ?? [])
    .reduce((sum, chunk) => sum + chunk.bytes.length, 0);
  expect(drafts.map(({ end }) => end.kind === "failed" && end.code)).toEqual(Array(4).fill("body-limit"));
  // Exchanges still in flight may reuse the bytes that the first ones released.
  expect(bytes).toBeLessThan(4_000_001);
});
