import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { everyNth } from "../proving.js";
import { beforeAll, describe, expect, test } from "vitest";
import { startCommandHost, removeStepFoldersAfterTests, step } from "./actions-step.js";

removeStepFoldersAfterTests();
const nowhere = "http://127.0.0.1:1";
const token = "a-token-12345";

const commentIn = (outputs) => readFileSync(join(outputs["comment-folder"], "comment.md"), "utf8");

/** A gate of a pull request from a branch of another repository. */
const pullRequestOf = (one, repository) => {
  const file = join(one.temp, "event.json");
  const head = { repo: { full_name: repository } };
  writeFileSync(file, JSON.stringify({ pull_request: { head } }));
  return { GITHUB_EVENT_NAME: "pull_request", GITHUB_EVENT_PATH: file, GITHUB_REPOSITORY: "acme/search" };
};

let own;
beforeAll(async () => {
  own = await startCommandHost();
});

describe.concurrent("without an address", () => {
  test.each([
    { name: "a push", variables: () => ({ GITHUB_EVENT_NAME: "push" }) },
    { name: "a branch of the repository", variables: (one) => pullRequestOf(one, "acme/search") },
    {
      name: "a fork that is run with the rights of the repository",
      variables: (one) => ({ ...pullRequestOf(one, "someone/search"), GITHUB_EVENT_NAME: "pull_request_target" }),
    },
  ])("$name is a mistake, since its variables are given", async ({ variables }) => {
    const one = step();
    const gate = { ...own, GATE_URL: "", GATE_ACCESS: "public", ASSAY_TOKEN: "", ...variables(one) };
    const { outputs } = await one.run("gate/gate.sh", gate);
    expect(outputs).toMatchObject({ outcome: "usage-error", "exit-code": "2" });
    expect(outputs.summary).toContain("there is no target: give the input url");
  });

  test.each([
    { name: "a fork", variables: (one) => pullRequestOf(one, "someone/search") },
    { name: "Dependabot", variables: () => ({ GITHUB_ACTOR: "dependabot[bot]" }) },
  ])("$name is not gated, since it is given neither secrets nor variables", async ({ variables }) => {
    const one = step();
    const gate = { ...own, GATE_URL: "", ASSAY_TOKEN: "", ...variables(one) };
    const { outputs, summary } = await one.run("gate/gate.sh", gate);
    expect(outputs).toMatchObject({ outcome: "not-gated", "exit-code": "0" });
    expect(summary).toContain("Neither secrets nor variables");
  });
});

describe.concurrent("a token", () => {
  const config = { targets: { staging: { url: nowhere, access: "private", tokenVariable: "STAGING_TOKEN" } } };
  const gate = (variables) => {
    const one = step();
    writeFileSync(join(one.cwd, "assay.config.json"), JSON.stringify(config));
    return one.run("gate/gate.sh", { ...own, GATE_TARGET: "staging", GATE_PROFILE: "smoke", ...variables });
  };

  test.each(["ASSAY_TOKEN", "SRC_ACCESS_TOKEN", "ASSAY_OAUTH_TOKEN"])(
    "in %s that the target does not take is a mistake",
    async (variable) => {
      const { outputs } = await gate({ [variable]: token });
      expect(outputs).toMatchObject({ outcome: "usage-error", "exit-code": "2" });
      expect(outputs.summary).toContain(`not used for staging: ${variable}; it takes its tokens from STAGING_TOKEN`);
    },
  );

  test("that the target accepts is used, and another one is named", async () => {
    const { log, outputs } = await gate({ STAGING_TOKEN: token, ASSAY_OTHER_TOKEN: token });
    expect(outputs.outcome).toBe("incomplete");
    expect(log).toContain("::warning title=Assay::given, and not used for staging: ASSAY_OTHER_TOKEN;");
  });
});

const earlier = (folder) => {
  mkdirSync(folder);
  writeFileSync(join(folder, "verdicts.json"), '{"exitCode":0,"summary":"all is well","run":{"embedded":false}}');
  writeFileSync(join(folder, "report.html"), "all is well");
};

/** A gate on an unused address. */
const gateOf = (variables, one = step()) => {
  const usual = { ...own, GATE_URL: nowhere, GATE_PROFILE: "smoke", GATE_COMMENT: "true", ASSAY_TOKEN: token };
  return one.run("gate/gate.sh", { ...usual, ...variables });
};

const gateInto = (prepare) => {
  const one = step();
  prepare(join(one.cwd, "o ut"));
  return gateOf({ GATE_OUT: "o ut" }, one);
};

describe.concurrent("the folder of the run", () => {
  test.each([
    { name: "with an earlier run in it", prepare: earlier },
    { name: "that is a file", prepare: (folder) => writeFileSync(folder, "all is well") },
  ])("$name is a mistake, and nothing of it is shown", async ({ prepare }) => {
    const { outputs } = await gateInto(prepare);
    expect(outputs).toMatchObject({ outcome: "usage-error", "exit-code": "2" });
    expect(outputs.summary).toContain("no empty folder");
    expect([outputs["run-folder"], outputs.report, outputs.artifact]).toEqual([undefined, undefined, undefined]);
    expect(commentIn(outputs)).toContain("usage-error");
    expect(commentIn(outputs)).not.toContain("all is well");
  });

  test("that is empty is used", async () => {
    const { outputs } = await gateInto((folder) => mkdirSync(folder));
    expect(outputs.outcome).toBe("incomplete");
    expect(existsSync(join(outputs["run-folder"], "verdicts.json"))).toBe(true);
  });
});

describe.concurrent("the text of a comment", () => {
  const left = [
    { name: "a switch that is none", variables: { GATE_STRICT: "yes" }, says: ["usage-error (exit code 2)", "strict"] },
    { name: "no target", variables: { GATE_URL: "" }, says: ["usage-error (exit code 2)", "no target"] },
    {
      name: "a profile that is not there",
      variables: { GATE_PROFILE: "nightly" },
      says: ["usage-error (exit code 2)", "it ended before there was a result"],
    },
    { name: "a target that refuses", variables: {}, says: ["incomplete (exit code 3)", "refused"] },
  ];
  test.each(everyNth(left, 3))("is left with $name as well", { tags: "more" }, async ({ variables, says }) => {
    const { outputs } = await gateOf(variables);
    expect(says.filter((text) => !commentIn(outputs).includes(text))).toEqual([]);
    expect(readFileSync(join(outputs["comment-folder"], "pull-request.txt"), "utf8")).toBe("7\n");
  });

  test("of two gates on one host has two names", { tags: "proof" }, async () => {
    const both = await Promise.all([gateOf({}), gateOf({})]);
    expect(new Set(both.map(({ outputs }) => outputs["comment-artifact"])).size).toBe(2);
  });

  test("is created only by a pull request", async () => {
    const { log, outputs } = await gateOf({ GITHUB_REF: "refs/heads/main", GATE_STRICT: "yes" });
    expect([outputs["comment-artifact"], log]).toEqual([
      undefined,
      expect.stringContaining("no run of a pull request"),
    ]);
  });
});
