import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { AnySchema, ValidateFunction } from "ajv/dist/2020.js";
import { beforeAll, describe, expect, test } from "vitest";
import { callAssay } from "../testing/call-assay.ts";
import { hasK6 } from "../testing/has-k6.ts";
import { sharedRepository } from "../testing/git-repository.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";

const cwd = temporaryFolder();
const repository = sharedRepository();
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
});
