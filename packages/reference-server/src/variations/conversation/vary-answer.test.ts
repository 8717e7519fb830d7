import { repetitions } from "@assay/tools/proving";
import { beforeAll, describe, expect, test } from "vitest";
import { createConversationDriver } from "../../faults/conversation/testing/conversation-driver.ts";
import { runFlow } from "../../faults/conversation/testing/conversation-flow.ts";
import { isPayloadArray, isPayloadObject, type PayloadObject } from "../../service/payload.ts";
import { variedAnswer } from "./vary-answer.ts";
import { listNames } from "./vary-list.ts";

/** An answer of a real flow. */
interface Recorded {
  readonly interface: "legacy" | "current";
  readonly operation: string;
  readonly status: number;
  readonly json: unknown;
}

const recorded: Recorded[] = [];
const seeds = Array.from({ length: repetitions(250, 500) }, (_, seed) => seed);

beforeAll(async () => {
  for (const vocabulary of ["observed", "field"] as const) {
    const driver = createConversationDriver({ vocabulary });
    for (const { answer, name } of await runFlow(driver)) {
      const [label = "", operation = ""] = name.split(" ");
      const { json, status } = answer;
      recorded.push({ interface: label === "legacy" ? "legacy" : "current", operation, status, json });
    }
    await driver.close();
  }
  seeds.forEach((seed) => varied.push(...answersOf(seed)));
});

interface Varied {
  readonly plain: Recorded;
  readonly status: number;
  readonly json: unknown;
  readonly text: string;
  readonly headers: readonly (readonly [string, string])[];
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    // No body, or text.
    return undefined;
  }
};

const sample = 17;

/** Some answers of the flow from a server with this seed; other ones for the next seed. */
const answersOf = (seed: number): readonly Varied[] =>
  recorded.flatMap((plain, index) => {
    if (plain.json === undefined || (index + seed) % sample !== 0) {
      return [];
    }
    const { body, headers, status } = variedAnswer(plain.json, plain, seed, String(index));
    return [{ plain, status, headers, text: body.toString(), json: parsed(body.toString()) }];
  });

/** The answers of all seeds. */
const varied: Varied[] = [];

const those = (isWanted: (plain: Recorded) => boolean): readonly Varied[] =>
  varied.filter(({ plain }) => isWanted(plain));

const isSuccess = ({ status }: Recorded): boolean => status < 300;
const isOf = (...operations: readonly string[]) => {
  return (plain: Recorded): boolean => isSuccess(plain) && operations.includes(plain.operation);
};

const listAt = (json: unknown, name: string): readonly PayloadObject[] => {
  const value = isPayloadObject(json) ? json[name] : undefined;
  return isPayloadArray(value) ? value.filter(isPayloadObject) : [];
};

const questionsOf = (json: unknown): readonly PayloadObject[] => listAt(json, "questions");

const at = (json: unknown, ...names: readonly string[]): unknown => {
  const found = names.find((name) => isPayloadObject(json) && json[name] !== undefined);
  return found === undefined || !isPayloadObject(json) ? undefined : json[found];
};

const answerText = (answer: unknown): string => {
  if (isPayloadArray(answer)) {
    const texts = answer.map((block) => at(at(block, "markdown"), "text"));
    return texts.filter((text) => typeof text === "string").join("");
  }
  return typeof answer === "string" ? answer : "";
};

const entriesOf = (json: unknown, name: "legacy" | "current"): readonly PayloadObject[] => {
  if (isPayloadArray(json)) {
    return json.filter(isPayloadObject);
  }
  return listNames[name].envelopeNames.map((key) => listAt(json, key)).find((list) => list.length > 0) ?? [];
};

const holders = ["page_info", "pageInfo", "pagination", "page", "meta"];

const cursorOf = (json: unknown, name: "legacy" | "current"): unknown =>
  [json, ...holders.map((key) => at(json, key))]
    .map((holder) => at(holder, ...listNames[name].cursors))
    .find((cursor) => typeof cursor === "string" && cursor !== "");

describe("a varied answer", () => {
  test("depends only on seed, name and answer", () => {
    for (const seed of [0, 1, 77]) {
      expect(answersOf(seed).map(({ headers, status, text }) => [status, headers, text])).toEqual(
        answersOf(seed).map(({ headers, status, text }) => [status, headers, text]),
      );
    }
  });

  test("differs from seed to seed", () => {
    const texts = seeds.slice(0, 50).map((seed) => JSON.stringify(answersOf(seed).map(({ text }) => text)));
    expect(new Set(texts).size).toBe(texts.length);
  });

  test("keeps success, and the status of refusals", () => {
    const statuses = new Set<string>();
    for (const { plain, status } of varied) {
      statuses.add(`${plain.interface} ${isSuccess(plain) ? "success" : plain.status - status} ${status}`);
    }
    expect([...statuses].toSorted()).toEqual(
      [
        "current 0 400",
        "current 0 401",
        "current 0 403",
        "current 0 404",
        "current success 200",
        "current success 201",
        "current success 202",
        "legacy success 200",
        "legacy success 202",
      ].toSorted(),
    );
  });

  test("is JSON with a JSON content type wherever the format is documented", () => {
    const wanted = isOf("create", "get", "list", "follow-up");
    for (const { headers, json } of those(wanted)) {
      expect(json).toBeTypeOf("object");
      expect(Object.fromEntries(headers)["content-type"]).toMatch(/^application\/json/iu);
    }
  });
});

/** The contents of a conversation in any form. */
const said = ({ json, plain }: Pick<Varied, "json" | "plain">): unknown => ({
  id: at(json, "id") ?? String(at(json, "name")).split("/").at(-1),
  owner: at(json, "user_id"),
  readToken: at(json, "read_token"),
  isOwner: plain.operation === "get" ? at(at(json, "viewer"), "is_owner") : undefined,
  state: Object.keys(Object(at(json, "state"))),
  error: at(at(at(json, "state"), "error"), "code"),
  questions: questionsOf(json).map((question) => ({
    id: at(question, "id"),
    text: at(question, "question") ?? at(at(listAt(question, "input")[0], "question"), "text"),
    answer: answerText(at(question, "answer")),
    status: String(at(question, "status")).replace("pending", "processing"),
    title: at(question, "title") ?? null,
    sources: listAt(question, "sources").map((source) => at(source, "link")),
    message: at(at(question, "error"), "message"),
    created: Date.parse(String(at(question, "created_at", "create_time", "createTime"))),
    updated: Date.parse(String(at(question, "updated_at"))),
  })),
});

describe("a varied conversation", () => {
  test("keeps its contents", () => {
    for (const { json, plain } of those(isOf("create", "get"))) {
      expect(said({ json, plain })).toEqual(said({ json: plain.json, plain }));
    }
  });

  test("spells members of one kind in one way", () => {
    const isCurrent = (plain: Recorded): boolean => plain.interface === "current" && isSuccess(plain);
    for (const { text } of those(isCurrent)) {
      expect(/"(?:create|update)_time"/u.test(text) && /"(?:create|update)Time"/u.test(text)).toBe(false);
    }
  });

  test("is in progress and complete when it has just been created", () => {
    const isLegacy = (plain: Recorded): boolean => plain.interface === "legacy" && isOf("create")(plain);
    for (const { json } of those(isLegacy)) {
      const newest = questionsOf(json).at(-1);
      expect(newest).toMatchObject({ status: "processing", stats: { credits: 0 } });
      expect(listAt(newest, "turns").map((turn) => at(turn, "role"))).toContain("user");
    }
  });

  test("has the same sources and errors in every answer of one server", () => {
    const isRead = (plain: Recorded): boolean => plain.interface === "legacy" && isOf("get")(plain);
    const reads = recorded.filter(isRead);
    for (const seed of seeds.slice(0, 40)) {
      const forms = new Map<string, Set<string>>();
      reads.forEach((plain, index) => {
        const json = parsed(variedAnswer(plain.json, plain, seed, String(index)).body.toString());
        for (const [place, question] of questionsOf(json).entries()) {
          const raw = questionsOf(plain.json)[place];
          const key = JSON.stringify([at(raw, "sources"), at(raw, "error")]);
          const form = JSON.stringify([at(question, "sources") ?? null, at(question, "error") ?? null], sortedKeys);
          forms.set(key, (forms.get(key) ?? new Set()).add(form));
        }
      });
      expect([...forms.values()].filter(({ size }) => size > 1)).toEqual([]);
    }
  });

  test("takes every permitted form with some seed", () => {
    const all = varied.map(({ text }) => text);
    const signs = [
      /"status": ?"pending"/u,
      /"addedLater"/u,
      /"__proto__"/u,
      /\+00:00"/u,
      /\.\d{4,}Z"/u,
      /"answer": ?\[/u,
      /"answer": ?"/u,
      /"suggested_followups": ?\[\s*\]/u,
      /"retryTime": ?"/u,
      /users\/~self\/conversations\/\d/u,
      /^\s*\[/u,
      /"page_info"/u,
      /"image"/u,
      /\r\n/u,
      /^done\s*$|^\s*"done"\s*$/u,
      /^$/u,
    ];
    expect(signs.filter((sign) => !all.some((text) => sign.test(text))).map(String)).toEqual([]);
  });
});

/** Sorts members by name. */
function sortedKeys(_name: string, value: unknown): unknown {
  return isPayloadObject(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
    : value;
}

describe("a varied list", () => {
  test("has the same conversations in the same order, and keeps its cursor", () => {
    for (const { json, plain } of those(isOf("list"))) {
      const name = plain.interface;
      const idsOf = (list: unknown): readonly unknown[] =>
        entriesOf(list, name).map((entry) => at(entry, "id") ?? String(at(entry, "name")).split("/").at(-1));
      expect(idsOf(json)).toEqual(idsOf(plain.json));
      expect(cursorOf(json, name)).toEqual(cursorOf(plain.json, name));
    }
  });
});
