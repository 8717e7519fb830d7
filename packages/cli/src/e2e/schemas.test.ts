import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { AnySchema, ValidateFunction } from "ajv/dist/2020.js";
import { beforeAll, describe, expect, test } from "vitest";
import { callAssay } from "../testing/call-assay.ts";
import { hasK6 } from "../testing/has-k6.ts";
import { makeRepository } from "../testing/git-repository.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";

const cwd = temporaryFolder();
const repository = makeRepository(join(cwd, "work"));
const schemas = new URL("../../../results/schemas/", import.meta.url);

/** Schemas that other tests check in the same way. */
const heldElsewhere = ["config", "load-result", "verdicts"];

function validatorOf(name: string): ValidateFunction {
  const schema: AnySchema = JSON.parse(readFileSync(new URL(`${name}.schema.json`, schemas), "utf8"));
  return new Ajv2020({ strict: true, strictTypes: false, strictRequired: false }).compile(schema);
}

const text = (path: string): string => readFileSync(join(cwd, path), "utf8");

async function printed(args: readonly string[]): Promise<unknown> {
  const { out } = await callAssay(args, { cwd });
  return JSON.parse(out);
}

/** Sends the search of the trial, and reads it to its end. */
const client = `
const { ASSAY_URL: url, ASSAY_TOKEN: token } = process.env;
const response = await fetch(url + "/.api/search/stream?q=test", { headers: { authorization: "token " + token } });
await response.text();
`;

/** What each schema is about, as the command writes and prints it. */
const outputs: Readonly<Record<string, () => Promise<readonly unknown[]>>> = {
  doctor: async () => [
    await printed(["doctor", "--repo", repository, "--json"]),
    await printed(["doctor", "--repo", repository, "--fault", "one-burst:searches=9", "--json"]),
    JSON.parse(text("doctor/doctor.json")),
  ],
  client: async () => [
    await printed([
      "client",
      "--trial",
      "ordinary-search",
      "--json",
      "--",
      process.execPath,
      "--input-type=module",
      "-e",
      client,
    ]),
    await printed(["client", "--trial", "ordinary-search", "--json", "--", process.execPath, "-e", "process.exit(3)"]),
  ],
  log: async () =>
    ["run", "broken"].flatMap((folder) =>
      text(`${folder}/log.ndjson`)
        .trimEnd()
        .split("\n")
        .map((line): unknown => JSON.parse(line)),
    ),
  timelines: async () => [JSON.parse(text("run/timelines.json")), JSON.parse(text("broken/timelines.json"))],
  "list-rules": async () => [await printed(["list", "--json"])],
  "list-coverage": async () => [
    await printed(["list", "--coverage", "--json"]),
    await printed(["list", "--coverage", "--run", "run", "--json"]),
  ],
  "list-unspecified": async () => [await printed(["list", "--unspecified", "--json"])],
  "list-faults": async () => [await printed(["list", "--faults", "--json"])],
  "list-profiles": async () => [await printed(["list", "--profiles", "--json"])],
};

beforeAll(async () => {
  const embedded = ["--repo", repository, "--seed", "1", "--quiet"];
  await callAssay(["run", ...embedded, "--profile", "smoke", "--out", "run"], { cwd });
  await callAssay(["run", ...embedded, "--rule", "two-fields", "--fault", "comment", "--out", "broken"], { cwd });
  await callAssay(["doctor", "--repo", repository, "--quiet", "--out", "doctor"], { cwd });
});

type Members = Readonly<Record<string, unknown>>;
const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What a value is made of: names and kinds, and the texts that tell one kind of thing from another. */
const telling = new Set(["event", "kind", "status", "outcome", "default"]);
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) {
    return [...new Set(value.map((each) => JSON.stringify(shapeOf(each))))];
  }
  return isMembers(value)
    ? Object.entries(value).map(([name, inner]) => [
        name,
        telling.has(name) ? typeof inner + String(inner) : shapeOf(inner),
      ])
    : typeof value;
}

/** The value with one element of each shape in its lists. */
function reduced(value: unknown): unknown {
  if (Array.isArray(value)) {
    const elements = new Map(value.map((each: unknown) => [JSON.stringify(shapeOf(each)), each]));
    return Array.from(elements.values(), (each) => reduced(each));
  }
  return isMembers(value)
    ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, reduced(inner)]))
    : value;
}

/** A value with one change, and its place. */
interface Changed {
  readonly where: string;
  readonly value: unknown;
}

/** Every value in which one object is another one by `change`. */
function* changedObjects(
  value: unknown,
  change: (members: Members) => readonly Changed[],
  path = "",
): Generator<Changed> {
  const inner: readonly (readonly [string, unknown])[] =
    Array.isArray(value) || isMembers(value) ? Object.entries(value) : [];
  if (isMembers(value)) {
    for (const one of change(value)) {
      yield { where: `${path}.${one.where}`, value: one.value };
    }
  }
  for (const [name, each] of inner) {
    const step = Array.isArray(value) ? "[]" : `.${name}`;
    for (const one of changedObjects(each, change, path + step)) {
      yield {
        where: one.where,
        value: Array.isArray(value)
          ? value.map((element: unknown, index) => (String(index) === name ? one.value : element))
          : Object.assign({}, value, { [name]: one.value }),
      };
    }
  }
}

const extended = (members: Members): readonly Changed[] => [{ where: "unknown", value: { ...members, unknown: 1 } }];
const mistyped = (members: Members): readonly Changed[] =>
  Object.keys(members).flatMap((where) =>
    [null, [null]].map((value) => ({ where, value: { ...members, [where]: value } })),
  );
const missing = (members: Members): readonly Changed[] =>
  Object.keys(members).map((where) => {
    const { [where]: _left, ...value } = members;
    return { where, value };
  });

/** Where a change is not noticed. */
const unnoticed = (
  validate: ValidateFunction,
  values: readonly unknown[],
  change: typeof extended,
): readonly string[] => [
  ...new Set(
    values.flatMap((value) =>
      [...changedObjects(reduced(value), change)].filter((one) => validate(one.value)).map(({ where }) => where),
    ),
  ),
];

/** Optional members; all others are required. */
const optional: Readonly<Record<string, readonly string[]>> = {
  doctor: [],
  client: [".trials[].checks[].because"],
  log: [".run.profile", ".run.strict", ".httpStatus", ".allowed", ".message"],
  timelines: [
    ".streams[].status",
    ...["connected", "headers", "firstByte", "firstEvent", "firstMatch", "finalProgress", "done"].map(
      (instant) => `.streams[].${instant}Micros`,
    ),
    ".streams[].serverDurationMs",
    ".exchanges[].status",
  ],
  "list-rules": ["[].demandedBy", "[].why", "[].likelyCause", "[].notTested", "[].mayBeUntested"],
  "list-coverage": ["[].coverage.partly", "[].coverage.rules[].proof"],
  "list-unspecified": [],
  "list-faults": ["[].attacks", "[].access", "[].parameters"],
  "list-profiles": [],
};

test("the outputs have something of everything in them", () => {
  expect(JSON.parse(text("run/timelines.json"))).toMatchObject({
    conversations: expect.arrayContaining([expect.anything()]),
    diagrams: expect.arrayContaining([expect.anything()]),
    streams: expect.arrayContaining([expect.anything()]),
  });
  expect(JSON.parse(text("broken/timelines.json")).exchanges).not.toEqual([]);
});

test.skipIf(!hasK6())("the log of a load run is one as well", async () => {
  const load = ["load", "search-first-match", "--duration", "3s", "--warmup", "0s", "--rate", "2", "--no-canary"];
  await callAssay([...load, "--threshold", "first-match max < 60000", "--quiet", "--out", "load"], {
    cwd,
    env: { PATH: process.env["PATH"] ?? "" },
  });
  const entries = text("load/log.ndjson").trimEnd().split("\n");
  const validate = validatorOf("log");
  expect(entries.filter((line) => !validate(JSON.parse(line)))).toEqual([]);
  const events = new Set(entries.map((line): unknown => JSON.parse(line).event));
  expect([...events]).toEqual(expect.arrayContaining(["load-progress", "threshold", "run-finished"]));
});

test("each published schema is held to real outputs", () => {
  const names = readdirSync(schemas).map((file) => file.replace(".schema.json", ""));
  expect(names.toSorted()).toEqual([...heldElsewhere, ...Object.keys(outputs)].toSorted());
});

describe.each(Object.keys(outputs))("the schema %s", (name) => {
  const validate = validatorOf(name);
  let values: readonly unknown[] = [];
  beforeAll(async () => {
    values = (await outputs[name]?.()) ?? [];
  });

  test("accepts the written and printed files", () => {
    expect(values.length).toBeGreaterThan(0);
    expect(values.map((value) => (validate(value) ? undefined : validate.errors)).filter(Boolean)).toEqual([]);
  });

  test("refuses a member that is unknown, and one that is mistyped", () => {
    expect(unnoticed(validate, values, extended)).toEqual([]);
    expect(unnoticed(validate, values, mistyped)).toEqual([]);
  });

  test("refuses a member that is missing, but for a few", () => {
    const left = unnoticed(validate, values, missing);
    expect(left.filter((where) => !optional[name]?.some((each) => where.startsWith(each)))).toEqual([]);
  });
});
