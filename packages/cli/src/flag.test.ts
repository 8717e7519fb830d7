import * as fc from "fast-check";
import { Command, InvalidArgumentError } from "commander";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createAssayProgram } from "./assay-program.ts";
import {
  addFlags,
  repeatedText,
  commaSeparatedList,
  faultList,
  readOneOf,
  decimalNumber,
  textFlag,
  switchFlag,
  valueFlag,
  wholeNumber,
} from "./flag.ts";
import { testContext } from "./testing/test-context.ts";

afterEach(() => vi.unstubAllEnvs());

const parsed = (args: readonly string[], env: Readonly<Record<string, string>>): unknown => {
  for (const [name, value] of Object.entries(env)) {
    vi.stubEnv(name, value);
  }
  const command = addFlags(new Command(), {
    tokenFile: textFlag("<FILE>", ""),
    verbose: switchFlag("", "v"),
    rule: valueFlag("<ID>", commaSeparatedList, ""),
  });
  return command.parse([...args], { from: "user" }).opts();
};

const { program } = await createAssayProgram(testContext());

describe("a flag", () => {
  test.each([
    { name: "is not set when nothing sets it", args: [], env: {}, options: {} },
    { name: "is set by its variable", args: [], env: { ASSAY_TOKEN_FILE: "a" }, options: { tokenFile: "a" } },
    {
      name: "takes precedence over its variable",
      args: ["--token-file", "b"],
      env: { ASSAY_TOKEN_FILE: "a" },
      options: { tokenFile: "b" },
    },
    { name: "is empty when its variable is", args: [], env: { ASSAY_TOKEN_FILE: "" }, options: { tokenFile: "" } },
    { name: "without a value is on for 1", args: [], env: { ASSAY_VERBOSE: "1" }, options: { verbose: true } },
    { name: "without a value is on for true", args: [], env: { ASSAY_VERBOSE: "true" }, options: { verbose: true } },
    { name: "without a value is off for 0", args: [], env: { ASSAY_VERBOSE: "0" }, options: {} },
    { name: "without a value is off for False", args: [], env: { ASSAY_VERBOSE: "False" }, options: {} },
    { name: "without a value is off for nothing", args: [], env: { ASSAY_VERBOSE: "" }, options: {} },
    {
      name: "on the line is on whatever its variable says",
      args: ["-v"],
      env: { ASSAY_VERBOSE: "0" },
      options: { verbose: true },
    },
    {
      name: "that repeats takes several values of its variable",
      args: [],
      env: { ASSAY_RULE: "a, b,,c" },
      options: { rule: ["a", "b", "c"] },
    },
  ])("$name", ({ args, env, options }) => {
    expect(parsed(args, env)).toEqual(options);
  });

  const flags = program.commands.flatMap((command) =>
    command.options.map(({ long, envVar }) => ({ shown: `${command.name()} ${long}`, long, envVar })),
  );
  test.each(flags)("$shown has the variable that its name says", ({ long, envVar }) => {
    expect(envVar).toBe(`ASSAY_${(long ?? "").slice(2).toUpperCase().replaceAll("-", "_")}`);
  });

  test("never takes a token on the command line, where others could read it", () => {
    expect(flags.filter(({ long }) => /^--(?:oauth-)?token$|password|secret/u.test(long ?? ""))).toEqual([]);
  });
});

describe("a whole number", () => {
  const { read } = wholeNumber({ min: 1, max: 600 });

  test("is read when it is within its bounds", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 600 }), (value) => {
        expect(read(String(value))).toBe(value);
      }),
    );
  });

  test.each(["", " 1", "0", "601", "-1", "1.5", "1e2", "0x10", "١", "1".repeat(400), "NaN", "Infinity"])(
    "cannot be `%s`",
    (text) => {
      expect(() => read(text)).toThrow(InvalidArgumentError);
    },
  );
});

describe("a number", () => {
  const { read } = decimalNumber({ min: 0.01, max: 100 });

  test.each([
    ["1.2", 1.2],
    ["0.01", 0.01],
    ["100", 100],
  ])("`%s` is read", (text, value) => {
    expect(read(text)).toBe(value);
  });

  test.each(["", "0", "100.1", "-1", "1e2", "1,2", ".5", "NaN", "1".repeat(400)])("cannot be `%s`", (text) => {
    expect(() => read(text)).toThrow(InvalidArgumentError);
  });
});

describe("one of a few names", () => {
  const { read } = readOneOf(["steady", "ramp"]);

  test("is read", () => {
    expect(read("ramp")).toBe("ramp");
  });

  test.each([
    ["stedy", /Did you mean "steady"\? Choose one of steady, ramp\./u],
    ["x", /^Choose one of steady, ramp\.$/u],
  ])("is not `%s`, which is refused with the nearest one", (text, says) => {
    expect(() => read(text)).toThrow(says);
  });
});

describe("a repeated flag", () => {
  test("is collected, also from one value with commas", () => {
    expect(commaSeparatedList.read("c, d", ["a"])).toEqual(["a", "c", "d"]);
  });

  test("is an empty list, and not undefined, for commas alone", () => {
    expect(commaSeparatedList.read(" , ,")).toEqual([]);
  });

  test("keeps its commas if values may contain some", () => {
    expect(repeatedText.read("a,b", ["c"])).toEqual(["c", "a,b"]);
  });

  test.each([
    { given: "a,b", faults: ["a", "b"] },
    { given: "a, b,", faults: ["a", "b"] },
    { given: "a:x=1,y=2", faults: ["a:x=1,y=2"] },
    { given: "a:x=1,y=2,b,c:z=3", faults: ["a:x=1,y=2", "b", "c:z=3"] },
    { given: "a:x=1,b:y=2", faults: ["a:x=1", "b:y=2"] },
    { given: "a,x=1", faults: ["a", "x=1"] },
    { given: "", faults: [""] },
    { given: ",", faults: [","] },
  ])("of faults is $faults for $given", ({ given, faults }) => {
    expect(faultList.read(given, ["before"])).toEqual(["before", ...faults]);
  });
});
