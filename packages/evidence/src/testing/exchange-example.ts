import { Buffer } from "node:buffer";
import type { Manifest } from "../bundle/bundle-files.ts";
import type { ExchangeDraft } from "../exchange.ts";
import { createRedactor, type Redactor } from "../redaction/redactor.ts";
import type { Secret } from "../redaction/secret-patterns.ts";

/** A manifest for tests. */
export const exampleManifest: Manifest = {
  schemaVersion: 1,
  runId: "run-1",
  tool: { name: "assay", version: "0.0.0" },
  startedAt: "2026-01-02T03:04:05.000Z",
  target: { url: "http://127.0.0.1:1", access: "private", embedded: true },
  profile: "gate",
  seed: 1,
  rules: ["stream/done-is-last"],
  strict: false,
  digests: { catalogue: "0".repeat(64), openapi: "f".repeat(64) },
};

/** A redactor for tests with a fixed key. */
export const exampleRedactor = (secrets: readonly Secret[] = []): Redactor =>
  createRedactor({ secrets, key: Buffer.alloc(32, 7) });

/** A complete exchange for tests. Chunks arrive 1,000 microseconds apart. */
export function exampleDraft(
  id: string,
  chunks: readonly (string | Uint8Array)[] = ["event: done\ndata: {}\n\n"],
): ExchangeDraft {
  return {
    id,
    probe: "example",
    interface: "stream",
    operation: "search",
    credential: "access-token",
    request: {
      method: "GET",
      url: "http://127.0.0.1:1/.api/search/stream?q=x",
      headers: [["Accept", "text/event-stream"]],
    },
    response: {
      status: 200,
      headers: [["content-type", "text/event-stream"]],
      chunks: chunks.map((chunk, index) => ({ bytes: Buffer.from(chunk), atMicros: 2000 + index * 1000 })),
    },
    end: { kind: "complete" },
    times: { sentAtMicros: 1000, headersAtMicros: 1500, endedAtMicros: 9000 },
  };
}
