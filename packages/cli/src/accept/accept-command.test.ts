import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { callAssay } from "../testing/call-assay.ts";
import { sharedRepository } from "../testing/git-repository.ts";
import { writeStoredLoad } from "../testing/stored-load.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";

const cwd = temporaryFolder();
const repository = sharedRepository();
const until = ["--until", "2999-12-31"];
const reason = ["--reason", "The proxy sends a comment."];
const said = [...until, ...reason, "--owner", "ops"];
const rule = "stream/two-fields";
const list = "known-failures.txt";

const call = (args: readonly string[], env: Readonly<Record<string, string>> = {}) => callAssay(args, { cwd, env });
const run = (...args: readonly string[]) =>
  call([
    "run",
    "--repo",
    repository,
    "--profile",
    "smoke",
    "--interface",
    "stream",
    "--seed",
    "1",
    "--fault",
    "comment",
    ...args,
  ]);
const read = (name: string): string => readFileSync(join(cwd, name), "utf8");
const write = (name: string, text: string): void => writeFileSync(join(cwd, name), text);

const group = `# The proxy sends a comment.\n# owner: ops   expires: 2999-12-31\n${rule}:comment   http://127.0.0.1:*\n`;

beforeAll(async () => {
  await run("--out", "reports/runs/failed");
});

test("a failure that was accepted is known to the next run, until its last day", async () => {
  const { code, out } = await call(["accept", rule, ...said]);
  expect([code, read(list)]).toEqual([0, group]);
  expect(out).toBe(
    `accepted until 2999-12-31 in ${list}:\n  ${rule}:comment   http://127.0.0.1:*\nPass it to the next run: \`--known-failures ${list}\`.\n`,
  );
  const known = await run("--out", "known", "--known-failures", list);
  expect([known.code, known.out.includes("~ known failure  stream/two-fields: The proxy sends a comment.")]).toEqual([
    0,
    true,
  ]);
  write(list, group.replace("2999", "2001"));
  expect((await run("--out", "expired", "--known-failures", list)).code).toBe(1);
});

describe("an entry", () => {
  test("that exists is updated with the new reason and date", async () => {
    write(list, `# Of staging.\r\n\r\n${group.replace("2999", "2001").replaceAll("\n", "\r\n")}`);
    const { code, out } = await call(["accept", "latest", `${rule}:comment`, ...said]);
    expect([code, out.split(" ")[0]]).toEqual([0, "renewed"]);
    expect(read(list)).toBe(`# Of staging.\r\n\r\n${group.replaceAll("\n", "\r\n")}`);
  });

  test("goes through a link into the file behind it", async () => {
    write("real.txt", "");
    symlinkSync("real.txt", join(cwd, "link.txt"));
    await call(["accept", "failed", "two-fields", ...said, "--file", "link.txt"]);
    expect(read("real.txt")).toBe(group);
  });

  test("of a list with mistakes is written, and the mistakes are shown", async () => {
    write("mistaken.txt", "stream/two-feilds *\n");
    const { code, err } = await call(["accept", "failed", rule, ...said, "--file", "mistaken.txt"]);
    expect([code, read("mistaken.txt")]).toEqual([0, `stream/two-feilds *\n\n${group}`]);
    expect(err).toContain("note: mistaken.txt, line 1: unknown rule `stream/two-feilds`");
  });
});

describe("without --file the list is", () => {
  const written = async (name: string, accepted: string, config: object): Promise<string> => {
    mkdirSync(join(cwd, name), { recursive: true });
    write(`${name}/assay.config.json`, JSON.stringify(config));
    return (await call(["--config", `${name}/assay.config.json`, "accept", accepted, rule, ...said])).out;
  };

  test("that of the configuration, which the next run reads by itself", async () => {
    const out = await written("section", "failed", { run: { knownFailures: ["field", "own.txt"] } });
    expect([out, read("section/own.txt")]).toEqual([
      `accepted until 2999-12-31 in section/own.txt:\n  ${rule}:comment   http://127.0.0.1:*\n`,
      group,
    ]);
  });

  test("that of the run, where the target of the configuration has none", async () => {
    const target: unknown = JSON.parse(read("known/verdicts.json")).run.target;
    expect(await written("target", "known", { targets: { here: { url: target, knownFailures: "field" } } })).toContain(
      `Pass it to the next run: \`--known-failures ${list}\`, or add it to \`targets.here.knownFailures\` in target/assay.config.json.`,
    );
  });
});

test("a rule that passed in the newest run is found in the one in which it failed", async () => {
  const clean = join(cwd, "reports/runs/clean");
  const smoke = ["--profile", "smoke", "--interface", "stream", "--repo", repository];
  await call(["run", ...smoke, "--out", "reports/runs/clean"]);
  const { code, err } = await call(["accept", rule, ...said]);
  rmSync(clean, { recursive: true });
  expect([code, err]).toEqual([
    2,
    expect.stringMatching(
      /did not fail in that run; no rule failed; it failed in reports\/runs\/\w+: run `assay accept/u,
    ),
  ]);
});

describe("nothing is written", () => {
  beforeAll(() => {
    writeStoredLoad(cwd, { id: "load", medianMs: 10 });
    cpSync(join(cwd, "reports/runs/failed"), join(cwd, "unjudged"), { recursive: true });
    rmSync(join(cwd, "unjudged/verdicts.json"));
    mkdirSync(join(cwd, "empty"), { recursive: true });
  });

  test.each([
    { why: "without a rule", args: ["failed", ...said], says: "specify the rule: assay accept failed RULE" },
    { why: "for a mistyped rule", args: ["stream/two-feilds", ...said], says: `did you mean \`${rule}\`?` },
    {
      why: "for a mistyped run",
      args: ["falied", rule, ...said],
      says: "there is no run `falied`; did you mean `failed`?",
    },
    {
      why: "for a rule that passed",
      args: ["failed", "stream/done-is-last", ...said],
      says: `did not fail in that run; its failures are ${rule}`,
    },
    {
      why: "for a finding that there was none of",
      args: ["failed", `${rule}:commnet`, ...said],
      says: `did you mean \`${rule}:comment\`?`,
    },
    {
      why: "for a past day",
      args: ["failed", rule, "--until", "2001-01-01", ...reason],
      says: "--until 2001-01-01 is in the past",
    },
    {
      why: "for what is no day",
      args: ["failed", rule, "--until", "2027-02-30", ...reason],
      says: "--until 2027-02-30 is not a day; write it as YYYY-MM-DD",
    },
    { why: "without a day", args: ["failed", rule, ...reason], says: "--until YYYY-MM-DD" },
    { why: "without a reason", args: ["failed", rule, ...until], says: "set the reason" },
    {
      why: "for the reason of the printed command",
      args: ["failed", rule, ...until, "--reason", "…"],
      says: "set the reason",
    },
    {
      why: "for a reason that is a field",
      args: ["failed", rule, ...until, "--reason", "owner: me"],
      says: "neither begins with `owner:`",
    },
    {
      why: "for a token",
      args: ["failed", rule, ...until, "--reason", "was sgp_0123456789abcdef01"],
      says: "--reason contains a token",
    },
    {
      why: "for the token of a variable",
      args: ["failed", rule, ...said, "--owner", "s3cr3t-word"],
      says: "--owner contains a token",
    },
    {
      why: "into an included list",
      args: ["failed", rule, ...said, "--file", "field"],
      says: "field is built into Assay",
    },
    { why: "into a folder", args: ["failed", rule, ...said, "--file", "empty"], says: "are not a file" },
    { why: "for a load run", args: ["load", rule, ...said], says: "load is a load run; pass a run of contract tests" },
    {
      why: "for a run without verdicts",
      args: ["unjudged", rule, ...said],
      says: "unjudged has no verdicts; run `assay judge unjudged` first",
    },
    { why: "for a folder of runs", args: [".", rule, ...said], says: ". contains several runs; pass one of them" },
  ])("$why", async ({ args, says }) => {
    const before = read(list);
    const { code, out, err } = await call(["accept", ...args], { ASSAY_OTHER_TOKEN: "s3cr3t-word" });
    expect([code, out, read(list)]).toEqual([2, "", before]);
    expect(err).toContain(says);
  });
});
