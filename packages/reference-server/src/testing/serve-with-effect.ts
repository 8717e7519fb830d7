import { openConversations } from "../service/conversation/open-conversations.ts";
import type { ConversationEffect } from "../faults/conversation-effect.ts";
import { defineDisruption } from "../faults/fault.ts";
import { faultPorts } from "../faults/fault-ports.ts";
import { createHttpServer } from "../service/http/create-http-server.ts";
import type { SearchService } from "../service/http/search-service.ts";
import { createJournal, type JournalEntry } from "../journal/journal.ts";
import { openRepositories } from "../service/repositories/open-repository.ts";
import { createProcessPool } from "../service/ripgrep/process-pool.ts";
import { issueTokens, type IssuedTokens } from "../service/tokens.ts";
import { createHeldClock, type HeldClock } from "./held-clock.ts";
import { outputs } from "./known-outputs.ts";

/** A server with an effect that is not in the registry. */
export interface EffectServer {
  readonly url: string;
  readonly token: string;
  readonly tokens: IssuedTokens;
  /** Releases the questions in progress. */
  readonly clock: HeldClock;
  journal(): readonly JournalEntry[];
  questionsInProgress(): number;
  close(): Promise<void>;
}

/** Serves a repository with one effect on conversations; sharing is on. */
export const serveWithEffect = async (
  directory: string,
  effect: Omit<ConversationEffect, "layer">,
): Promise<EffectServer> => {
  const closing = new AbortController();
  const fault = defineDisruption("own")("own", { layer: "conversation", ...effect });
  const searchService: SearchService = {
    repositories: await openRepositories([directory], outputs),
    tokens: issueTokens(1),
    access: "private",
    latency: "instant",
    latencyFactor: 1,
    vocabulary: "field",
    seed: 1,
    ports: faultPorts([{ fault, values: {} }]),
    pool: createProcessPool(2, outputs),
    journal: createJournal(),
    closingSignal: closing.signal,
  };
  const clock = createHeldClock();
  const works = openConversations(searchService, { clock });
  const service = { searchService, conversations: works.service, sharing: true };
  const httpServer = createHttpServer(service);
  return {
    url: await httpServer.listen("127.0.0.1", 0),
    token: searchService.tokens.access,
    tokens: searchService.tokens,
    clock,
    journal: () => searchService.journal.entries(),
    questionsInProgress: () => works.jobs.countRunning(),
    close: async () => {
      closing.abort();
      await httpServer.close();
      await works.close();
    },
  };
};
