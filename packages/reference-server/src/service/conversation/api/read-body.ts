import type { IncomingMessage } from "node:http";

/** The body of a request, or the reason it cannot be read. */
export type BodyResult =
  | { readonly ok: true; readonly bytes: Buffer }
  | { readonly ok: false; readonly reason: "too-large" | "too-slow" | "broken" };

/** Larger bodies are refused. */
export const maxBodyBytes = 1024 * 1024;
/** Number of bytes read and discarded beyond that limit, so that a client that is still sending receives the refusal. */
const maxIgnoredBytes = 16 * 1024 * 1024;
const maxReadMs = 10_000;

/** Reads a body to its end. Keeps at most 1 MiB, and waits at most 10 s. */
export const readBody = (request: IncomingMessage, signal: AbortSignal): Promise<BodyResult> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const finish = (body: BodyResult): void => {
      clearTimeout(timer);
      request.removeAllListeners("data");
      resolve(body);
    };
    const timer = setTimeout(() => finish({ ok: false, reason: "too-slow" }), maxReadMs);
    if (signal.aborted) {
      finish({ ok: false, reason: "broken" });
    }
    signal.addEventListener("abort", () => finish({ ok: false, reason: "broken" }), { once: true });
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= maxBodyBytes) {
        chunks.push(chunk);
      } else if (bytes > maxIgnoredBytes) {
        finish({ ok: false, reason: "too-large" });
      }
    });
    request.once("end", () =>
      finish(bytes > maxBodyBytes ? { ok: false, reason: "too-large" } : { ok: true, bytes: Buffer.concat(chunks) }),
    );
    request.once("error", () => finish({ ok: false, reason: "broken" }));
  });
