import { Buffer } from "node:buffer";
import { once } from "node:events";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** A call as read by the test server. */
export interface ServedCall {
  readonly operation: string;
  readonly interface: "legacy" | "current";
  readonly method: string;
  readonly url: URL;
  readonly user: string | undefined;
  readonly clientHeader: string | undefined;
  readonly body: string;
  readonly json: Readonly<Record<string, unknown>>;
  /** Digits of the conversation it is about, or an empty text. */
  readonly id: string;
  readonly atMs: number;
}

export interface StoredQuestion {
  readonly text: string;
  readonly askedAtMs: number;
  cancelled: boolean;
}

export interface StoredConversation {
  readonly id: number;
  readonly user: string;
  readonly createdAt: string;
  readonly questions: StoredQuestion[];
}

/** A replacement for the usual answer. `hang` never answers; `reset` closes the connection after the call took effect. */
export type Twist =
  | { readonly status: number; readonly json?: unknown; readonly headers?: Readonly<Record<string, string>> }
  | "hang"
  | "reset"
  | undefined;

export interface ConversationServerOptions {
  /** Time until a question is answered, evaluated for each call. Default: 15. */
  readonly processingMs?: number | (() => number);
  /** Called before the store changes. */
  readonly before?: (call: ServedCall) => Twist;
  /** Called after the store changed; `usual` is the default answer. */
  readonly after?: (call: ServedCall, usual: unknown) => Twist;
}

export interface ConversationServer extends AsyncDisposable {
  readonly url: string;
  readonly calls: readonly ServedCall[];
  readonly conversations: ReadonlyMap<number, StoredConversation>;
  /** Adds a conversation that no run created. */
  readonly plant: (text: string, user?: string) => number;
}

/** Tokens of the test server, by credential. */
export const testTokens: Readonly<Record<string, string>> = {
  "access-token": "token-of-user-one",
  "other-scheme": "token-of-user-one",
  "access-token-as-bearer": "token-of-user-one",
  "other-token": "token-of-user-two",
  "read-token": "token-that-reads",
  "write-token": "token-that-writes",
  "unscoped-token": "token-unscoped",
  "quota-token": "token-no-quota",
  "entitlement-token": "token-no-entitlement",
  "invalid-token": "never-issued-token",
  "invalid-oauth-token": "never-issued-token",
  "shortened-token": "token-of",
  "lengthened-token": "token-of-user-one0",
  "empty-token": "",
};

const users: Readonly<Record<string, string>> = {
  "token-of-user-one": "1",
  "token-that-reads": "1",
  "token-that-writes": "1",
  "token-unscoped": "1",
  "token-of-user-two": "2",
  "token-no-quota": "3",
  "token-no-entitlement": "4",
};

const tokenLimit = 20_000;

interface Store {
  readonly conversations: Map<number, StoredConversation>;
  readonly processingMs: () => number;
  nextId: number;
}

const isRunning = (store: Store, question: StoredQuestion): boolean =>
  !question.cancelled && performance.now() - question.askedAtMs < store.processingMs();

const errorCodeOf = ({ user }: StoredConversation, { text }: StoredQuestion): string | undefined =>
  user === "3"
    ? "ERROR_QUOTA_EXCEEDED"
    : user === "4"
      ? "ERROR_ENTITLEMENT_EXCEEDED"
      : text.length > tokenLimit
        ? "ERROR_TOKEN_LIMIT_EXCEEDED"
        : undefined;

function legacyOf(store: Store, conversation: StoredConversation): Record<string, unknown> {
  const { id, user, createdAt, questions } = conversation;
  return {
    id,
    user_id: Number(user),
    created_at: createdAt,
    updated_at: createdAt,
    read_token: `read-token-of-${id}`,
    questions: questions.map((question, index) => ({
      id: id * 100 + index,
      conversation_id: id,
      question: question.text,
      status: isRunning(store, question) ? "processing" : "completed",
      ...(isRunning(store, question) || errorCodeOf(conversation, question) !== undefined
        ? {}
        : { answer: "It is so." }),
      ...(isRunning(store, question) || errorCodeOf(conversation, question) === undefined
        ? {}
        : { error: { title: "No", kind: errorCodeOf(conversation, question), message: "no", details: "" } }),
    })),
  };
}

const isAnswered = (store: Store, conversation: StoredConversation, question: StoredQuestion): boolean =>
  !question.cancelled && !isRunning(store, question) && errorCodeOf(conversation, question) === undefined;

const nameOf = ({ id, user }: StoredConversation): string => `users/${user}/conversations/${id}`;

function stateOf(store: Store, conversation: StoredConversation): object {
  const last = conversation.questions.at(-1);
  const code = last === undefined ? undefined : errorCodeOf(conversation, last);
  if (last === undefined || isRunning(store, last)) {
    return { processing: {} };
  }
  return last.cancelled
    ? { canceled: {} }
    : code === undefined
      ? { completed: {} }
      : { error: { code, message: "no" } };
}

function currentOf(store: Store, conversation: StoredConversation): Record<string, unknown> {
  return {
    name: nameOf(conversation),
    createTime: conversation.createdAt,
    state: stateOf(store, conversation),
    questions: conversation.questions.map((question) => ({
      input: [{ question: { text: question.text } }],
      ...(isAnswered(store, conversation, question) ? { answer: "It is so." } : {}),
    })),
  };
}

type Reply = readonly [status: number, json: unknown];

const refusal = (status: number): Reply => [status, { message: "refused" }];

const inner = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (found, name) => (typeof found === "object" && found !== null ? Reflect.get(found, name) : undefined),
    value,
  );

const questionPaths: Readonly<Record<string, readonly string[]>> = {
  "current create": ["conversation", "questions", "0", "input", "0", "question", "text"],
  "current follow-up": ["question", "input", "0", "question", "text"],
};

function questionIn({ json, interface: name, operation }: ServedCall): string | undefined {
  const text = inner(json, ...(questionPaths[`${name} ${operation}`] ?? ["question"]));
  return typeof text === "string" && text !== "" ? text : undefined;
}

function listed(store: Store, { url, json, user, interface: name }: ServedCall): unknown {
  const { searchParams: query } = url;
  const size = Number((name === "legacy" ? query.get("page_first") : json["pageSize"]) ?? 50);
  const start = Number((name === "legacy" ? query.get("page_after") : json["pageToken"]) ?? 0);
  const token = query.get("filter_read_token");
  const id = query.get("filter_id");
  const all = [...store.conversations.values()]
    .filter((one) => (token === null ? one.user === user : token === `read-token-of-${one.id}`))
    .filter((one) => id === null || String(one.id) === id)
    .filter(() => query.get("filter_is_starred") !== "true");
  const sorted = query.get("sort") === "id" ? all : all.toReversed();
  const page = sorted.slice(start, start + size);
  const next = start + size < all.length ? String(start + size) : undefined;
  return name === "legacy"
    ? { conversations: page.map((one) => legacyOf(store, one)), next_cursor: next }
    : {
        conversationSummaries: page.map((one) => ({ name: nameOf(one), createTime: one.createdAt })),
        nextPageToken: next,
      };
}

function create(store: Store, user: string, text: string): StoredConversation {
  const question = { text, askedAtMs: performance.now(), cancelled: false };
  const conversation = { id: store.nextId++, user, createdAt: new Date().toISOString(), questions: [question] };
  store.conversations.set(conversation.id, conversation);
  return conversation;
}

/** Applies a call to a conversation and returns the status of the answer. */
function change(store: Store, call: ServedCall, { questions, id }: StoredConversation): number {
  const text = questionIn(call);
  if (call.operation === "follow-up") {
    const isMeant = call.interface === "current" || String(call.json["conversation_id"]) === call.id;
    if (text === undefined || !isMeant) {
      return 400;
    }
    questions.push({ text, askedAtMs: performance.now(), cancelled: false });
  }
  if (call.operation === "cancel") {
    questions.filter((one) => isRunning(store, one)).forEach((one) => (one.cancelled = true));
  }
  if (call.operation === "delete") {
    store.conversations.delete(id);
  }
  return 200;
}

function write(store: Store, call: ServedCall): Reply {
  const show = call.interface === "legacy" ? legacyOf : currentOf;
  if (call.operation === "create") {
    const text = questionIn(call);
    return text === undefined ? refusal(400) : [200, show(store, create(store, call.user ?? "", text))];
  }
  const found = store.conversations.get(Number(call.id));
  if (found?.user !== call.user) {
    return refusal(404);
  }
  const status = found === undefined ? 404 : change(store, call, found);
  return status === 200 && found !== undefined ? [200, show(store, found)] : refusal(status);
}

function answer(store: Store, call: ServedCall): Reply {
  if (call.user === undefined) {
    return refusal(401);
  }
  if (call.interface === "legacy" && !/^\S+ \S+$/.test(call.clientHeader ?? "")) {
    return refusal(400);
  }
  if (call.operation === "list") {
    return [200, listed(store, call)];
  }
  return write(store, call);
}

const procedures: Readonly<Record<string, string>> = {
  CreateConversation: "create",
  GetConversation: "get",
  ListConversationSummaries: "list",
  AddConversationQuestion: "follow-up",
  CancelConversation: "cancel",
  DeleteConversation: "delete",
};

const legacyOperations: readonly (readonly [method: string, path: RegExp, operation: string])[] = [
  ["POST", /^$/, "create"],
  ["GET", /^$/, "list"],
  ["GET", /^\/\d+$/, "get"],
  ["DELETE", /^\/\d+$/, "delete"],
  ["POST", /^\/\d+\/questions$/, "follow-up"],
  ["POST", /^\/\d+\/questions\/\d+\/cancel$/, "cancel"],
];

function parsed(body: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(body === "" ? "{}" : body);
  } catch {
    return {};
  }
}

type Target = Pick<ServedCall, "operation" | "interface" | "id">;

function legacyTarget(method: string, rest: string): Target {
  const [, , operation = "unknown"] = legacyOperations.find(([verb, path]) => verb === method && path.test(rest)) ?? [];
  return { interface: "legacy", operation, id: /^\/(\d+)/.exec(rest)?.[1] ?? "" };
}

function currentTarget(path: string, json: ServedCall["json"]): Target {
  const named = json["name"] ?? json["parent"];
  const name = typeof named === "string" ? named : "";
  const operation = procedures[path.slice(path.lastIndexOf("/") + 1)] ?? "unknown";
  return { interface: "current", operation, id: name.slice(name.lastIndexOf("/") + 1) };
}

const legacyRoot = "/.api/deepsearch/v1";

async function readCall(request: IncomingMessage): Promise<ServedCall> {
  const pieces: Buffer[] = [];
  request.on("data", (piece: Buffer) => pieces.push(piece));
  await once(request, "end");
  const body = Buffer.concat(pieces).toString("utf8");
  const { method = "", headers } = request;
  const url = new URL(request.url ?? "/", "http://h");
  const json = parsed(body);
  const { pathname } = url;
  const [, scheme, token = ""] = /^(\S+) (\S+)$/.exec(headers.authorization ?? "") ?? [];
  return {
    ...(pathname.startsWith(legacyRoot)
      ? legacyTarget(method, pathname.slice(legacyRoot.length))
      : currentTarget(pathname, json)),
    method,
    url,
    user: scheme === "token" ? users[token] : undefined,
    clientHeader: headers["x-requested-with"]?.toString(),
    body,
    json,
    atMs: performance.now(),
  };
}

function reply(response: ServerResponse, twist: Exclude<Twist, "hang">): void {
  if (twist === "reset" || twist === undefined) {
    response.socket?.resetAndDestroy();
    return;
  }
  response.writeHead(twist.status, { "content-type": "application/json", ...twist.headers });
  response.end(twist.json === undefined ? "" : JSON.stringify(twist.json));
}

const isAddress = (address: string | AddressInfo | null): address is AddressInfo =>
  typeof address === "object" && address !== null;

/** A minimal conversation API in memory. */
export async function startConversationServer({
  processingMs = 15,
  before = () => undefined,
  after = () => undefined,
}: ConversationServerOptions = {}): Promise<ConversationServer> {
  const store: Store = {
    conversations: new Map(),
    processingMs: typeof processingMs === "number" ? () => processingMs : processingMs,
    nextId: 11,
  };
  const calls: ServedCall[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const call = await readCall(request);
    calls.push(call);
    const first = before(call);
    if (first === undefined) {
      const [status, json] = answer(store, call);
      const second = after(call, json) ?? { status, json };
      if (second !== "hang") {
        reply(response, second);
      }
    } else if (first !== "hang") {
      reply(response, first);
    }
  };
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => sockets.add(socket.on("error", () => undefined)));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    url: `http://127.0.0.1:${isAddress(address) ? address.port : 0}`,
    calls,
    conversations: store.conversations,
    plant: (text, user = "1") => create(store, user, text).id,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) {
        socket.destroy();
      }
      server.close();
      await once(server, "close");
    },
  };
}
