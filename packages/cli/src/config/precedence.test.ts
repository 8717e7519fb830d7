import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createAssayProgram } from "../assay-program.ts";
import { type Flag, type Flags, isRepeatable, formatFlagName, formatVariableName } from "../flag.ts";
import { callAssay } from "../testing/call-assay.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { testContext } from "../testing/test-context.ts";
import { findSections } from "./command-options.ts";
import { targetOnlyFlags } from "./config-schema.ts";

const cwd = temporaryFolder();
const { program } = await createAssayProgram(testContext());

interface Reported {
  readonly values: readonly { readonly name: string; readonly value?: unknown; readonly source: string }[];
}

/** Three valid values of a flag, as text. */
function valuesFor({ schema }: Flag): readonly [string, string, string] {
  const { enum: names, minimum, pattern } = schema;
  if (names !== undefined) {
    const [one = "", two = one, three = one] = names;
    return [one, two, three];
  }
  if (minimum !== undefined) {
    return [String(minimum), String(minimum + 1), String(minimum + 2)];
  }
  return pattern === undefined ? ["/one", "/two", "/three"] : ["2s", "3s", "4s"];
}

interface NamedFlag {
  readonly member: string;
  readonly flag: Flag;
}

/** Sources that set a flag: the file, its variable, the command line. */
interface GivenFlag {
  readonly option: NamedFlag;
  readonly inFile: unknown;
  readonly byVariable?: string;
  readonly onLine?: readonly string[];
}

let number = 0;

/** Writes a new file each time, since a process does not load the same file twice. */
function fileWith(config: unknown): string {
  number += 1;
  writeFileSync(join(cwd, `config-${number}.json`), JSON.stringify(config));
  return `config-${number}.json`;
}

/** The output of `assay config` for the flags of a command with these sources. */
async function reported(command: string, all: readonly GivenFlag[]): Promise<ReadonlyMap<string, unknown>> {
  const section = Object.fromEntries(all.map(({ option, inFile }) => [option.member, inFile]));
  const file = fileWith({ [command]: section });
  const env = Object.fromEntries(
    all.flatMap(({ option, byVariable }) =>
      byVariable === undefined ? [] : [[formatVariableName(option.member, option.flag), byVariable]],
    ),
  );
  const line = all.flatMap(({ onLine = [] }) => onLine);
  const args = ["config", command, "--json", "--config", file, ...line];
  const { code, out, err } = await callAssay(args, { cwd, env });
  expect([code, err]).toEqual([0, ""]);
  const { values }: Reported = JSON.parse(out);
  return new Map(values.map(({ name, value, source }) => [name, { value, source: source.replace(file, "FILE") }]));
}

const isSwitch = ({ flag }: NamedFlag): boolean => flag.argument === undefined;
const conflicting: ReadonlySet<string> = new Set([
  "embedded",
  "verbose",
  "quiet",
  "coverage",
  "unspecified",
  "faults",
  "profiles",
]);

/** Flags that can be given together. `--json` is left out, since `assay config` has its own. */
const settable = (flags: Flags): readonly NamedFlag[] =>
  Object.entries(flags)
    .filter(([member]) => member !== "json" && !conflicting.has(member) && !targetOnlyFlags.has(member))
    .map(([member, flag]) => ({ member, flag }));

const typed = ({ flag }: NamedFlag, text: string): unknown => {
  const value = flag.schema.minimum === undefined ? text : Number(text);
  return isRepeatable(flag) ? [value] : value;
};

const shown = ({ flag }: NamedFlag, text: string): unknown => flag.read(text);

const commands = Object.entries(findSections(program)).map(([name, flags]) => {
  const all = settable(flags);
  return {
    name,
    values: all.filter((option) => !isSwitch(option)).map((option) => ({ option, texts: valuesFor(option.flag) })),
    switches: all.filter((option) => isSwitch(option)),
  };
});

describe.each(commands)("the flags of $name", ({ name, values, switches }) => {
  const member = (option: NamedFlag): string => `FILE: ${name}.${option.member}`;
  const long = (option: NamedFlag): string => formatFlagName(option.member, option.flag);
  const variable = (option: NamedFlag): string => formatVariableName(option.member, option.flag);
  const isNegated = ({ flag }: NamedFlag): boolean => flag.isNegated === true;

  test("come from the file", async () => {
    const found = await reported(name, [
      ...values.map(({ option, texts: [one] }) => ({ option, inFile: typed(option, one) })),
      ...switches.map((option) => ({ option, inFile: !isNegated(option) })),
    ]);
    for (const { option, texts } of values) {
      expect([long(option), found.get(long(option))]).toEqual([
        long(option),
        { value: shown(option, texts[0]), source: member(option) },
      ]);
    }
    for (const option of switches) {
      expect([long(option), found.get(long(option))]).toEqual([long(option), { value: true, source: member(option) }]);
    }
  });

  test.each([
    { name: "on", inFile: false, byVariable: "1", value: true },
    { name: "off", inFile: true, byVariable: "0", value: false },
  ])("come from variables before the file, which turn them $name", async ({ inFile, byVariable, value }) => {
    const found = await reported(name, [
      ...values.map(({ option, texts: [one, two] }) => ({ option, inFile: typed(option, one), byVariable: two })),
      ...switches.map((option) => ({ option, inFile: isNegated(option) ? !inFile : inFile, byVariable })),
    ]);
    for (const { option, texts } of values) {
      expect(found.get(long(option))).toEqual({ value: shown(option, texts[1]), source: variable(option) });
    }
    for (const option of switches) {
      expect([long(option), found.get(long(option))]).toEqual([long(option), { value, source: variable(option) }]);
    }
  });

  test("come from the line before both", async () => {
    const found = await reported(name, [
      ...values.map(({ option, texts: [one, two, three] }) => ({
        option,
        inFile: typed(option, one),
        byVariable: two,
        onLine: [long(option), three],
      })),
      ...switches.map((option) => ({
        option,
        inFile: isNegated(option),
        byVariable: "0",
        onLine: [long(option)],
      })),
    ]);
    for (const { option, texts } of values) {
      expect(found.get(long(option))).toEqual({ value: shown(option, texts[2]), source: "flag" });
    }
    for (const option of switches) {
      expect([long(option), found.get(long(option))]).toEqual([long(option), { value: true, source: "flag" }]);
    }
  });
});

describe("a value of the file", () => {
  const values = async (config: unknown, args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const file = fileWith(config);
    const { code, out, err } = await callAssay(["--config", file, "config", ...args, "--json"], { cwd, env });
    const { values: all }: Reported = JSON.parse(code === 0 ? out : '{"values":[]}');
    const set = all.filter(({ source, value }) => source !== "default" && value !== undefined);
    return {
      code,
      err: err.replace(file, "FILE"),
      set: Object.fromEntries(set.map(({ name, value }) => [name, value])),
    };
  };

  test.each([
    {
      name: "embedded is ignored if an address is given",
      run: { embedded: true },
      args: ["--url", "http://h"],
      set: { "--url": "http://h" },
    },
    {
      name: "the reporter is ignored if another one is given by its short form",
      run: { reporter: "json" },
      args: ["-q"],
      set: { "--quiet": true },
    },
    {
      name: "an address is ignored if --embedded is given",
      run: { url: "http://h" },
      args: ["--embedded"],
      set: { "--embedded": true },
    },
    {
      name: "a list is replaced by a given list",
      run: { rule: ["a", "b"] },
      args: ["--rule", "c"],
      set: { "--rule": ["c"] },
    },
    {
      name: "a list is unchanged, including its commas",
      run: { repo: ["/a,b", "/c"] },
      args: [],
      set: { "--repo": ["/a,b", "/c"] },
    },
    { name: "an empty list is a list", run: { rule: [] }, args: [], set: { "--rule": [] } },
  ])("$name", async ({ run, args, set }) => {
    expect(await values({ run }, ["run", ...args])).toMatchObject({ code: 0, err: "", set });
  });

  test.each([
    { args: ["run", "--embedded"], set: "ASSAY_URL", value: "http://h", left: { "--embedded": true } },
    { args: ["run", "--url", "http://h"], set: "ASSAY_EMBEDDED", value: "1", left: { "--url": "http://h" } },
    {
      args: ["run", "--token-command", "print"],
      set: "ASSAY_TOKEN_FILE",
      value: "f",
      left: { "--token-command": "a command" },
    },
    { args: ["list", "--unspecified"], set: "ASSAY_FAULTS", value: "1", left: { "--unspecified": true } },
  ])("a flag takes precedence over $set: $args", async ({ args, set: name, value, left }) => {
    const { code, err, set } = await values({ serve: {} }, args, { [name]: value });
    expect([code, err, set]).toEqual([0, `note: ${args[1]} is set, so ${name} is ignored\n`, left]);
  });

  test("two variables cannot contradict each other", async () => {
    const { code, err } = await values({ serve: {} }, ["run"], { ASSAY_URL: "http://h", ASSAY_EMBEDDED: "yes" });
    expect([code, err]).toEqual([2, "assay: ASSAY_URL cannot be used with ASSAY_EMBEDDED; remove one of them\n"]);
  });

  test("cannot contradict itself", async () => {
    const { code, err } = await values({ run: { embedded: true, url: "http://h" } }, ["run"]);
    expect([code, err]).toEqual([
      2,
      "assay: FILE: run.url and run.embedded cannot be set together; remove one of them\n",
    ]);
  });

  test("is refused by the parser of the flag with its sentence", async () => {
    const { code, err } = await values({ load: { duration: "100ms" } }, ["load"]);
    expect([code, err]).toEqual([
      2,
      'assay: FILE: load.duration is "100ms"; it must be a time with its unit, such as 15s, 2m or 1h, from 1s to 24h\n',
    ]);
  });

  test("is relative to its folder if it is a path", async () => {
    mkdirSync(join(cwd, "inner"), { recursive: true });
    const config = { run: { out: "runs/a", knownFailures: ["field", "known.txt"], openapi: "https://h/api.json" } };
    writeFileSync(join(cwd, "inner/assay.config.json"), JSON.stringify(config));
    const { out } = await callAssay(["config", "--json", "--config", "inner/assay.config.json"], { cwd });
    const { values: all }: Reported = JSON.parse(out);
    expect(all).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: "--out", value: "inner/runs/a" }),
        expect.objectContaining({ name: "--known-failures", value: ["field", "inner/known.txt"] }),
        expect.objectContaining({ name: "--openapi", value: "https://h/api.json" }),
      ]),
    );
  });
});

test("a header is reported with the variable that sets it", async () => {
  const env = { SRC_ENDPOINT: "https://h.example", SRC_HEADERS: "x-a:12", SRC_HEADER_X_TENANT: "1234" };
  const { out } = await callAssay(["config", "run", "--json"], { cwd, env });
  expect(JSON.parse(out)).toMatchObject({
    headers: [
      { name: "x-a", length: 2, source: "SRC_HEADERS" },
      { name: "x_tenant", length: 4, source: "SRC_HEADER_X_TENANT" },
    ],
  });
});
