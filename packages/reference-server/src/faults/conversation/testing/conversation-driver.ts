import { defined } from "@assay/contract";
import inject from "light-my-request";
import { createConversationService } from "../../../service/conversation/conversation-service.ts";
import { createHttpServer } from "../../../service/http/create-http-server.ts";
import type { SearchService } from "../../../service/http/search-service.ts";
import { createJournal, type JournalEntry } from "../../../journal/journal.ts";
import { createProcessPool } from "../../../service/ripgrep/process-pool.ts";
import type { AccessMode } from "../../../service/access.ts";
import type { Repository } from "../../../service/repositories/repository.ts";
import { issueTokens, type IssuedTokens } from "../../../service/tokens.ts";
import { createConversationStore } from "../../../service/conversation/store/conversation-store.ts";
import { openDatabase } from "../../../service/conversation/store/open-database.ts";
import { defaultPorts } from "../../../service/ports.ts";
import { variedPorts } from "../../../variations/varied-ports.ts";
import { faultPorts } from "../../fault-ports.ts";
import { chooseFault, type FaultChoice } from "../../fault-registry.ts";
import { outputs } from "../../../testing/known-outputs.ts";
import { createHeldJobs } from "./held-jobs.ts";

/** One call of the server. */
export interface DrivenCall {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  /** Kind of token; anything else is sent as the header value. Absent sends no header. */
  readonly token?: keyof IssuedTokens | { readonly authorization: string } | "nobody" | undefined;
  readonly clientHeader?: string | undefined;
  /** Text is sent unchanged, everything else as JSON. */
  readonly body?: unknown;
}

export interface DrivenAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly json: unknown;
}

/** The server with a fault, without a network. Questions end on demand. */
export interface ConversationDriver {
  call(call: DrivenCall): Promise<DrivenAnswer>;
  /** Ends all questions in progress. */
  finish(): void;
  star(conversation: number): void;
  journal(): readonly JournalEntry[];
  close(): Promise<void>;
}

export interface DriverOptions {
  readonly fault?: FaultChoice;
  /** What searches find [nothing]. */
  readonly repositories?: readonly Repository[];
  /** Whether a search needs a token [the mode in which the fault shows, else `private`]. */
  readonly access?: AccessMode;
  readonly sharing?: boolean;
  readonly vocabulary?: "field" | "observed";
  /** Seed of the variations; without one answers are not varied. */
  readonly variations?: number;
}

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    // Plain text, or nothing.
    return undefined;
  }
};

const serviceOf = (
  { access, fault, repositories = [], variations, vocabulary = "observed" }: DriverOptions,
  closingSignal: AbortSignal,
): SearchService => ({
  repositories,
  tokens: issueTokens(1),
  access: access ?? (fault === undefined ? undefined : chooseFault(fault).fault.access) ?? "private",
  latency: "instant",
  latencyFactor: 1,
  vocabulary,
  seed: 1,
  ports: faultPorts(
    fault === undefined ? [] : [chooseFault(fault)],
    variations === undefined ? defaultPorts : variedPorts(variations),
  ),
  pool: createProcessPool(1, outputs),
  journal: createJournal(),
  closingSignal,
});

const authorizationOf = ({ token = "access" }: DrivenCall, tokens: IssuedTokens): Readonly<Record<string, string>> => {
  if (typeof token === "object") {
    return token;
  }
  return token === "nobody" ? {} : { authorization: `token ${tokens[token]}` };
};

/** Starts a driver. Its clock starts in 2024 and advances by 750 ms with each reading. */
export const createConversationDriver = (options: DriverOptions = {}): ConversationDriver => {
  const closing = new AbortController();
  const searchService = serviceOf(options, closing.signal);
  let nowMs = Date.UTC(2024, 0, 15, 12);
  const clock = { now: () => (nowMs += 750), wait: () => Promise.resolve() };
  const store = createConversationStore(openDatabase(":memory:"));
  const { finish, jobs } = createHeldJobs(store, clock);
  const conversations = createConversationService({ store, jobs, clock, seed: 1 });
  const httpServer = createHttpServer({ searchService, conversations, sharing: options.sharing ?? true });
  return {
    call: async (call) => {
      const { body, clientHeader, method, path } = call;
      const { headers, payload, statusCode } = await inject(httpServer.dispatch, {
        method,
        url: path,
        headers: {
          ...authorizationOf(call, searchService.tokens),
          ...defined({ "x-requested-with": clientHeader }),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { payload: typeof body === "string" ? body : JSON.stringify(body) }),
      });
      return { status: statusCode, headers, text: payload, json: jsonOf(payload) };
    },
    finish,
    star: (conversation) => void store.setStarred(conversation, true),
    journal: () => searchService.journal.entries(),
    close: async () => {
      closing.abort();
      await httpServer.close();
      store.close();
    },
  };
};
