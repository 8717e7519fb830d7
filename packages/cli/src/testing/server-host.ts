import { createOutputCache, startServer } from "@assay/reference-server";
import type { RunningServer, ServerOptions } from "@assay/reference-server";

/** What a test asks of the host. */
export type HostRequest =
  | { readonly kind: "start"; readonly number: number; readonly options: ServerOptions }
  | { readonly kind: "count"; readonly number: number; readonly of: number }
  | { readonly kind: "close"; readonly number: number };

/** What the host answers to a request. */
export interface HostAnswer {
  readonly number: number;
  readonly server?: Pick<RunningServer, "url" | "token" | "tokens" | "access" | "sharing">;
  /** How many conversations there are. */
  readonly conversations?: number;
  readonly failure?: string;
}

/** Results of earlier searches for all servers, since the repositories of tests do not change. */
const outputs = createOutputCache();

const servers = new Map<number, RunningServer>();

async function answerTo(request: HostRequest): Promise<HostAnswer> {
  const { number } = request;
  if (request.kind === "close") {
    await servers.get(number)?.close();
    servers.delete(number);
    return { number };
  }
  if (request.kind === "count") {
    return { number, conversations: servers.get(request.of)?.conversationCount() ?? 0 };
  }
  const server = await startServer({ ...request.options, outputs });
  servers.set(number, server);
  const { url, token, tokens, access, sharing } = server;
  return { number, server: { url, token, tokens, access, sharing } };
}

// A process of its own: one that starts a program for each search must be small, and that of the tests is large.
process.on("message", (request: HostRequest) => {
  answerTo(request).then(
    (answer) => process.send?.(answer),
    (cause: unknown) => process.send?.({ number: request.number, failure: String(cause) }),
  );
});
process.on("disconnect", () => process.exit());
