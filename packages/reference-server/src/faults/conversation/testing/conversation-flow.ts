import { currentPath, legacyPath, sortOrders } from "@assay/contract";
import { userIds } from "../../../service/access.ts";
import { isPayloadObject } from "../../../service/payload.ts";
import { listQuestions } from "../conversation-parts.ts";
import type { ConversationDriver, DrivenAnswer, DrivenCall } from "./conversation-driver.ts";

/** One call of a flow with its answer. */
export interface FlowStep {
  /** Interface, operation, and what is special about the call. */
  readonly name: string;
  readonly answer: DrivenAnswer;
}

const member = (json: unknown, name: string): unknown => (isPayloadObject(json) ? json[name] : undefined);

/** A unique question with the marker of a run. */
const asks = (what: string, { label }: Pick<Stage, "label">): string => `Where is ${what} (${label})? [assay run=flow]`;

const padding = "lorem ipsum ".repeat(1700);

type Ask = (name: string, call: DrivenCall) => Promise<DrivenAnswer>;

/** The calls of one interface. */
interface Dialect {
  readonly create: (text: string) => DrivenCall;
  readonly get: (id: unknown) => DrivenCall;
  readonly followUp: (id: unknown, text: string) => DrivenCall;
  readonly cancel: (id: unknown, last: unknown) => DrivenCall;
  readonly remove: (id: unknown) => DrivenCall;
  readonly list: (paging?: Readonly<Record<string, unknown>>) => DrivenCall;
  readonly idOf: (json: unknown) => unknown;
  readonly other: (id: unknown) => unknown;
  readonly unknownId: unknown;
  readonly noQuestion: DrivenCall;
  /** A question whose text is a number. */
  readonly noText: DrivenCall;
  readonly noJson: DrivenCall;
}

const clientHeader = "flow 1.0";

const legacyList = (query: Readonly<Record<string, unknown>> = {}): DrivenCall => {
  const pairs = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
  const text = new URLSearchParams(pairs).toString();
  return { method: "GET", path: `${legacyPath}${text === "" ? "" : `?${text}`}`, clientHeader };
};

const legacy: Dialect = {
  create: (text) => ({ method: "POST", path: legacyPath, clientHeader, body: { question: text } }),
  get: (id) => ({ method: "GET", path: `${legacyPath}/${String(id)}`, clientHeader }),
  followUp: (id, text) => ({
    method: "POST",
    path: `${legacyPath}/${String(id)}/questions`,
    clientHeader,
    body: { conversation_id: id, question: text },
  }),
  cancel: (id, last) => ({
    method: "POST",
    path: `${legacyPath}/${String(id)}/questions/${String(last)}/cancel`,
    clientHeader,
  }),
  remove: (id) => ({ method: "DELETE", path: `${legacyPath}/${String(id)}`, clientHeader }),
  list: legacyList,
  idOf: (json) => member(json, "id"),
  other: (id) => `users/~self/conversations/${String(id)}`,
  unknownId: 2147483647,
  noQuestion: { method: "POST", path: legacyPath, clientHeader, body: {} },
  noText: { method: "POST", path: legacyPath, clientHeader, body: { question: 5 } },
  noJson: { method: "POST", path: legacyPath, clientHeader, body: '{"question": ' },
};

const procedure = (name: string, body: unknown): DrivenCall => ({
  method: "POST",
  path: `${currentPath}/${name}`,
  body,
});
const asked = (text: string) => ({ input: [{ question: { text } }] });

const current: Dialect = {
  create: (text) =>
    procedure("CreateConversation", { parent: "users/~self", conversation: { questions: [asked(text)] } }),
  get: (name) => procedure("GetConversation", { name }),
  followUp: (name, text) => procedure("AddConversationQuestion", { parent: name, question: asked(text) }),
  cancel: (name) => procedure("CancelConversation", { name }),
  remove: (name) => procedure("DeleteConversation", { name }),
  list: (paging = {}) => procedure("ListConversationSummaries", { parent: "users/~self", ...paging }),
  idOf: (json) => member(json, "name"),
  other: (name) => String(name).split("/").at(-1),
  unknownId: "users/~self/conversations/2147483647",
  noQuestion: procedure("CreateConversation", { conversation: { questions: [] } }),
  noText: procedure("CreateConversation", { conversation: { questions: [{ input: [{ question: { text: 5 } }] }] } }),
  noJson: procedure("CreateConversation", '{"conversation": '),
};

interface Stage {
  readonly label: "legacy" | "current";
  readonly dialect: Dialect;
  readonly ask: Ask;
  readonly driver: ConversationDriver;
}

const readTimes = async ({ ask, dialect }: Stage, id: unknown, times: number): Promise<void> => {
  for (let read = 0; read < times; read += 1) {
    await ask("get", dialect.get(id));
  }
};

const converse = async (stage: Stage): Promise<unknown> => {
  const { ask, dialect, driver } = stage;
  const { json } = await ask("create", dialect.create(asks("createServer", stage)));
  const id = dialect.idOf(json);
  await readTimes(stage, id, 2);
  driver.finish();
  await readTimes(stage, id, 3);
  await ask("follow-up", dialect.followUp(id, asks("it called", stage)));
  await ask("follow-up in progress", dialect.followUp(id, asks("it called meanwhile", stage)));
  await readTimes(stage, id, 1);
  driver.finish();
  await readTimes(stage, id, 4);
  return id;
};

/** Cancels one conversation, and reads another one only once. */
const cancelOne = async (stage: Stage): Promise<unknown> => {
  const { ask, dialect, driver } = stage;
  const { json } = await ask("create", dialect.create(asks("it stopped", stage)));
  const id = dialect.idOf(json);
  const cancel = dialect.cancel(id, listQuestions(json).at(-1)?.["id"]);
  await ask("cancel", cancel);
  await readTimes(stage, id, 2);
  await ask("cancel", cancel);
  await readTimes(stage, id, 1);
  const third = await ask("create", dialect.create(asks("it tested", stage)));
  driver.finish();
  await readTimes(stage, dialect.idOf(third.json), 1);
  await Promise.all([id, dialect.idOf(third.json)].map((one) => ask("get", dialect.get(one))));
  return id;
};

/** Asks questions that fail; returns the id of the main user's conversation. */
const fail = async (stage: Stage): Promise<unknown> => {
  const { ask, dialect, driver } = stage;
  const ids: unknown[] = [];
  for (const [text, token] of [
    [`${padding}${asks("too much", stage)}`, "access"],
    [asks("the quota", stage), "quota"],
    [asks("the entitlement", stage), "entitlement"],
  ] as const) {
    const { json } = await ask("create", { ...dialect.create(text), token });
    driver.finish();
    ids.push(dialect.idOf(json));
    for (let read = 0; read < 3; read += 1) {
      await ask("get", { ...dialect.get(ids.at(-1)), token });
    }
  }
  return ids[0];
};

const cursorOf = (json: unknown): unknown =>
  ["next_cursor", "nextPageToken", "next_page_token"]
    .map((name) => member(json, name))
    .find((value) => typeof value === "string");

const walk = async ({ ask, dialect }: Stage, sort = "id"): Promise<void> => {
  const isLegacy = dialect === legacy;
  let cursor: unknown;
  for (let page = 0; page < 4; page += 1) {
    const size = isLegacy ? { sort, page_first: 2 } : { pageSize: 2 };
    const after = cursor === undefined ? {} : { [isLegacy ? "page_after" : "pageToken"]: cursor };
    const { json } = await ask("list", dialect.list({ ...size, ...after }));
    cursor = cursorOf(json);
    if (cursor === undefined) {
      return;
    }
  }
};

const listAll = async (stage: Stage, id: unknown): Promise<void> => {
  const { ask, dialect } = stage;
  await ask("list", dialect.list());
  if (dialect === legacy) {
    const { json } = await ask("get", dialect.get(id));
    const token = member(json, "read_token");
    const filters = [
      { filter_id: id },
      { filter_user_id: 1 },
      { filter_id: id, sort: "-id" },
      { filter_user_id: 1, sort: "id" },
      { filter_read_token: token },
      { filter_is_starred: true },
      { filter_is_starred: false },
      { page_first: 1 },
      ...sortOrders.map((sort) => ({ sort })),
    ];
    for (const filter of filters) {
      await ask("list", dialect.list(filter));
    }
    await ask("list", { ...dialect.list({ filter_read_token: token }), token: "other" });
    await ask("list", { ...dialect.list({ filter_id: id }), token: "other" });
  }
  await walk(stage);
  await walk(stage, "-id");
  // An invalid cursor.
  await ask("list", dialect.list({ [dialect === legacy ? "page_after" : "pageToken"]: "made-up" }));
};

const beRefused = async (stage: Stage, id: unknown): Promise<void> => {
  const { ask, dialect } = stage;
  const question = asks("nothing", stage);
  await ask("get", { ...dialect.get(id), token: "other" });
  const { clientHeader: _header, ...headless } = dialect.list();
  await ask("list", { ...headless, ...(dialect === legacy ? {} : { clientHeader }) });
  await ask("list", { ...dialect.list(), clientHeader: "shapeless" });
  for (const token of ["nobody", "noScope", "read"] as const) {
    await ask("list", { ...dialect.list(), token });
  }
  await ask("list", { ...dialect.list(), token: { authorization: "token sgp_never" } });
  await ask("list", { ...dialect.list(), token: { authorization: "Assay sgp_any" } });
  await ask("get", dialect.get(dialect.unknownId));
  await ask("create", dialect.noQuestion);
  await ask("create", dialect.noText);
  await ask("create", dialect.noJson);
  if (dialect === current) {
    await ask("get", { ...dialect.get(id), token: "read" });
    await ask("create", { ...dialect.create(question), token: "read" });
    const { json } = await ask("create", { ...dialect.create(question), token: "write" });
    const own = dialect.idOf(json);
    await ask("follow-up", { ...dialect.followUp(own, question), token: "write" });
    await ask("delete", { ...dialect.remove(own), token: "write" });
  } else {
    const { body: _body, ...call } = legacy.followUp(id, question);
    await ask("follow-up", { ...call, body: { conversation_id: 77, question } });
  }
};

/** Callers other than the owner: no token, unissued tokens, a token without a scope, another user. */
const strangers = [
  "nobody",
  { authorization: "token sgp_never" },
  { authorization: "Bearer sgo_never" },
  "other",
  "noScope",
] as const;

/** Tries every operation without permission, while a question is in progress that could be cancelled. */
const intrude = async (stage: Stage, id: unknown): Promise<void> => {
  const { ask, dialect } = stage;
  const { json } = await ask("create", dialect.create(asks("it kept from others", stage)));
  const own = dialect.idOf(json);
  const calls = [
    ["get", dialect.get(id)],
    ["list", dialect.list()],
    ["follow-up", dialect.followUp(id, asks("it asked by others", stage))],
    ["create", dialect.create(asks("it created by others", stage))],
    ["cancel", dialect.cancel(own, listQuestions(json).at(-1)?.["id"])],
    ["delete", dialect.remove(own)],
  ] as const;
  for (const [name, call] of calls) {
    for (const token of strangers) {
      await ask(name, { ...call, token });
    }
  }
  if (dialect === current) {
    const conversation = { questions: [asked(asks("it created for others", stage))] };
    const creation = procedure("CreateConversation", { parent: `users/${userIds.main}`, conversation });
    await ask("create", { ...creation, token: "other" });
  }
};

/** Calls that only the legacy interface has: sort orders, filters, and questions with ids. */
const tryFurther = async (stage: Stage): Promise<void> => {
  const { ask, dialect, driver } = stage;
  if (dialect !== legacy) {
    return;
  }
  const { json } = await ask("create", dialect.create(asks("it asked first", stage)));
  const first = dialect.idOf(json);
  const later = await ask("create", dialect.create(asks("it asked later", stage)));
  await ask("cancel", dialect.cancel(first, listQuestions(later.json).at(-1)?.["id"]));
  driver.finish();
  // Created first, and updated last.
  await ask("follow-up", dialect.followUp(first, asks("it asked again", stage)));
  driver.finish();
  const lists = [
    dialect.list({ sort: "updated_at" }),
    dialect.list({ sort: "-updated_at" }),
    dialect.list(),
    dialect.list({ filter_user_id: 999_999 }),
    dialect.list({ filter_id: 999_999_999 }),
    dialect.list({ filter_id: first, filter_user_id: 999_999 }),
    { ...dialect.list({ filter_user_id: 1 }), token: "other" },
    { ...dialect.list({ filter_read_token: "00000000-0000-4000-8000-000000000000" }), token: "other" },
  ] as const;
  for (const list of lists) {
    await ask("list", list);
  }
  await ask("follow-up", dialect.followUp(first, ""));
  await ask("cancel", dialect.cancel(first, dialect.unknownId));
};

/** Cancels a question in a conversation with answers. */
const cancelFurther = async (stage: Stage, id: unknown): Promise<void> => {
  const { ask, dialect } = stage;
  await ask("follow-up", dialect.followUp(id, asks("it given up", stage)));
  const { json } = await ask("get", dialect.get(id));
  await ask("cancel", dialect.cancel(id, listQuestions(json).at(-1)?.["id"]));
  await ask("get", dialect.get(id));
};

/** Calls on a deleted conversation. */
const tryDeleted = async (stage: Stage, id: unknown, token: unknown): Promise<void> => {
  const { ask, dialect } = stage;
  await ask("get", dialect.get(id));
  await ask("list", dialect.list());
  await ask("follow-up", dialect.followUp(id, asks("it gone", stage)));
  if (dialect === legacy) {
    await ask("list", dialect.list({ filter_read_token: token }));
    await ask("list", dialect.list({ filter_id: id }));
  }
};

/** Selects a part of the flow. */
export interface FlowOptions {
  /** Only the conversations of this interface. */
  readonly only?: "legacy" | "current";
  /** The flow stops after a step that passes this test. */
  readonly until?: (step: FlowStep, index: number) => boolean;
}

const noAnswer: DrivenAnswer = { status: 0, headers: {}, text: "", json: undefined };

/**
 * A flow in which every fault can show. Covers both interfaces, or one, and reads the conversations of each through the other one
 * too.
 */
export const runFlow = async (
  driver: ConversationDriver,
  { only, until = () => false }: FlowOptions = {},
): Promise<readonly FlowStep[]> => {
  const steps: FlowStep[] = [];
  let isOver = false;
  const stageOf = (label: Stage["label"], dialect: Dialect): Stage => ({
    label,
    dialect,
    driver,
    ask: async (name, call) => {
      if (isOver) {
        return noAnswer;
      }
      const step = { name: `${label} ${name}`, answer: await driver.call(call) };
      steps.push(step);
      isOver = until(step, steps.length - 1);
      return step.answer;
    },
  });
  const stages = [stageOf("legacy", legacy), stageOf("current", current)] as const;
  for (const stage of stages.filter(({ label }) => label === (only ?? label))) {
    const id = await converse(stage);
    const cancelled = await cancelOne(stage);
    await listAll(stage, id);
    await beRefused(stage, id);
    const failed = await fail(stage);
    await intrude(stage, id);
    driver.finish();
    const other = stages.find((candidate) => candidate !== stage);
    for (const own of [id, cancelled, failed]) {
      await other?.ask("get", other.dialect.get(stage.dialect.other(own)));
    }
    await other?.ask("list", other.dialect.list());
    driver.finish();
    await tryFurther(stage);
    await cancelFurther(stage, id);
    const { json } = await stage.ask("get", stage.dialect.get(id));
    await stage.ask("delete", stage.dialect.remove(cancelled));
    await stage.ask("get", stage.dialect.get(cancelled));
    await stage.ask("delete", stage.dialect.remove(id));
    await tryDeleted(stage, id, member(json, "read_token"));
  }
  return steps;
};
