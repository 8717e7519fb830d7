import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { removeStepFoldersAfterTests, root, step } from "./actions-step.js";

removeStepFoldersAfterTests();

const read = (path) => readFileSync(join(root, path), "utf8");
const ymlIn = (folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith(".yml"))
    .map((name) => ({ path: `${folder}/${name}`, ...textAndValue(`${folder}/${name}`) }));
const textAndValue = (path) => ({ text: read(path), value: parse(read(path)) });

const workflows = ymlIn(".github/workflows");
const examples = ymlIn("packages/cli/docs/ci").filter(({ path }) => path.includes("/github-"));
const actions = ["gate", "load"].map((name) => {
  const path = `.github/actions/${name}/action.yml`;
  return { path, name, ...textAndValue(path) };
});
const reusable = workflows.filter(({ value }) => value.on?.workflow_call !== undefined);

const jobsOf = ({ value }) => Object.entries(value.jobs ?? {}).map(([id, job]) => ({ id, ...job }));
const stepsOf = (file) => [...jobsOf(file).flatMap(({ steps = [] }) => steps), ...(file.value.runs?.steps ?? [])];
const usesOf = (file) =>
  [...stepsOf(file), ...jobsOf(file)].map(({ uses }) => uses).filter((uses) => uses !== undefined);
const all = [...workflows, ...actions, ...examples];

describe("every file that runs in Actions", () => {
  test.each(all)("$path pins its actions to a commit, with the version next to it", (file) => {
    const foreign = usesOf(file).filter(
      (uses) => !uses.startsWith("./") && !/^OWNER\/assay\/[\w./-]+@COMMIT$/u.test(uses),
    );
    expect(foreign.filter((uses) => !/^[\w.-]+\/[\w./-]+@[0-9a-f]{40}$/u.test(uses))).toEqual([]);
    for (const uses of foreign) {
      expect(file.text).toMatch(new RegExp(`${uses} # v\\d+\\.\\d+\\.\\d+\n`, "u"));
    }
  });

  test.each(all)("$path has no expression inside a script", (file) => {
    const scripts = stepsOf(file)
      .map(({ run }) => run)
      .filter((run) => run !== undefined);
    expect(scripts.filter((run) => run.includes("${{"))).toEqual([]);
  });

  test.each(all)("$path keeps no credentials of a checkout", (file) => {
    const checkouts = stepsOf(file).filter(({ uses = "" }) => uses.startsWith("actions/checkout@"));
    expect(checkouts.filter((each) => each.with?.["persist-credentials"] !== false)).toEqual([]);
  });

  test.each(all)("$path names existing scripts and actions", (file) => {
    const scripts = [
      ...file.text.matchAll(/run: (?:exec |node )?"?(\$GITHUB_ACTION_PATH|(?:\.assay\/)?\.github)([\w./-]+)/gu),
    ].map(([, start, rest]) =>
      start === "$GITHUB_ACTION_PATH" ? join(".github/actions", file.name, rest) : join(".github", rest),
    );
    for (const script of scripts) {
      expect(statSync(join(root, script)).mode & 0o111 || Number(script.endsWith(".mjs"))).toBeTruthy();
    }
    const local = usesOf(file).filter((uses) => uses.startsWith("./"));
    expect(local.filter((uses) => !existsSync(join(root, uses.replace("./.assay/", ""))))).toEqual([]);
  });

  test("does not run code of a pull request with the rights of the repository", () => {
    expect(
      [...workflows, ...examples].filter(({ text }) => /pull_request_target/u.test(text.replaceAll(/^ *#.*$/gmu, ""))),
    ).toEqual([]);
  });

  test("contains no address of a machine or registry", () => {
    expect(
      all.filter(({ text }) => /\/home\/|\/work\/|registry|localhost/u.test(text)).map(({ path }) => path),
    ).toEqual([]);
  });
});

describe("a workflow", () => {
  test.each([...workflows, ...examples])("$path has no permissions except those of its jobs", (file) => {
    expect(file.value.permissions).toEqual({});
    expect(
      jobsOf(file)
        .filter(({ permissions }) => permissions === undefined)
        .map(({ id }) => id),
    ).toEqual([]);
  });

  test.each(workflows)("$path limits the time of each job", (file) => {
    const own = jobsOf(file).filter(({ uses }) => uses === undefined);
    expect(own.filter((job) => job["timeout-minutes"] === undefined).map(({ id }) => id)).toEqual([]);
  });

  test.each(workflows)("$path has concurrency groups", (file) => {
    const groups = [file.value, ...jobsOf(file)]
      .map(({ concurrency }) => concurrency)
      .filter((each) => each !== undefined);
    expect(groups.length).toBeGreaterThan(0);
    expect(groups.every(({ group }) => typeof group === "string" && group.includes("${{"))).toBe(true);
  });

  test.each(reusable)("$path never cancels a job that uses a target", (file) => {
    const groups = [file.value, ...jobsOf(file)]
      .map(({ concurrency }) => concurrency)
      .filter((each) => each !== undefined);
    expect(groups.map((each) => each["cancel-in-progress"])).toEqual(groups.map(() => false));
  });
});

const namesOf = (text, kind) =>
  new Set([...text.matchAll(new RegExp(`\\b${kind}\\.([a-z0-9-]+)`, "gu"))].map(([, name]) => name));

describe("inputs and outputs", () => {
  test.each(reusable)(
    "$path declares the inputs and secrets that it uses, and uses those that it declares",
    ({ text, value }) => {
      const { inputs = {}, secrets = {} } = value.on.workflow_call;
      expect(namesOf(text, "inputs")).toEqual(new Set(Object.keys(inputs)));
      expect(namesOf(text, "secrets")).toEqual(new Set(Object.keys(secrets)));
    },
  );

  test.each(actions)(
    "$path declares the inputs that it uses, and its scripts read them all",
    ({ text, value, name }) => {
      expect(namesOf(text.replaceAll(/^ +description:.*$/gmu, ""), "inputs")).toEqual(
        new Set(Object.keys(value.inputs)),
      );
      const script = value.runs.steps.find(({ id }) => id === name);
      const source = read(`.github/actions/${name}/${name}.sh`) + read(".github/actions/gate/install.sh");
      expect(Object.keys(script.env).filter((variable) => !source.includes(variable))).toEqual([]);
      const named = new Set(
        [...source.matchAll(new RegExp(`\\b${name.toUpperCase()}_[A-Z_]+`, "gu"))].map(([variable]) => variable),
      );
      expect([...named].filter((variable) => !Object.keys(script.env).includes(variable))).toEqual([]);
    },
  );

  test.each(actions)("$path has the outputs of its script", ({ value, name }) => {
    const source = read(`.github/actions/${name}/${name}.sh`) + read(".github/actions/gate/install.sh");
    const left = new Set([...source.matchAll(/\boutput ([a-z-]+)/gu)].map(([, output]) => output));
    const wanted = namesOf(JSON.stringify(value), "steps\\.[a-z]+\\.outputs");
    expect([...wanted].filter((output) => !left.has(output))).toEqual([]);
    expect(Object.values(value.outputs).every(({ value: text }) => text.startsWith("${{ steps."))).toBe(true);
  });

  test.each(
    [...workflows, ...examples]
      .flatMap((file) => [...stepsOf(file), ...jobsOf(file)].map((user) => ({ path: file.path, user })))
      .filter(({ user }) => /\/actions\/(?:gate|load)(?:@|$)|assay\/\.github\/workflows\//u.test(user.uses ?? "")),
  )("$path gives $user.uses what it takes", ({ user }) => {
    const [, place] = /(\.github\/[\w./-]+?)(?:@COMMIT)?$/u.exec(user.uses);
    const { inputs = {}, on } = parse(read(place.endsWith(".yml") ? place : `${place}/action.yml`));
    const taken = Object.keys({ ...inputs, ...on?.workflow_call.inputs });
    expect(Object.keys(user.with ?? {}).filter((name) => !taken.includes(name))).toEqual([]);
    expect(
      Object.keys(user.secrets ?? {}).filter((name) => !Object.keys(on?.workflow_call.secrets ?? {}).includes(name)),
    ).toEqual([]);
  });
});

test("the cache key of a history is not a prefix of another one", () => {
  const { value } = actions.find(({ name }) => name === "load");
  const keys = stepsOf({ value }).flatMap(({ with: given = {} }) => [given.key, given["restore-keys"]]);
  const named = keys
    .filter((key) => key?.includes("assay-load") === true)
    .map((key) => key.split("${{ inputs.history }}")[1]);
  expect(named.map((rest) => rest[0])).toEqual(["/", "/", "/"]);
});

test("the gate reads the configuration from its input", () => {
  const gate = workflows.find(({ path }) => path.endsWith("/gate.yml"));
  const own = stepsOf(gate).find(({ uses = "" }) => uses.startsWith("actions/checkout@"));
  expect(own.with.ref).toBe("${{ inputs.config-ref }}");
});

const groupOf = async (run, env) => {
  const one = step();
  const { outputs } = await one.runText(run, { HAS_TOKEN: "true", UNIQUE: "1-1-gate", URL: "", ...env });
  return outputs.name;
};

describe("one group for each target", () => {
  const scripts = reusable.flatMap((file) =>
    stepsOf(file)
      .filter(({ id }) => id === "group")
      .map(({ run }) => ({ path: file.path, run })),
  );

  test.each(scripts)("$path distinguishes only hosts", async ({ run }) => {
    const same = [
      "https://Staging.example.com",
      "https://staging.example.com/",
      "https://user@staging.example.com/a?b#c",
      "staging.example.com",
    ];
    expect(new Set(await Promise.all(same.map((URL) => groupOf(run, { URL }))))).toEqual(
      new Set(["assay-target-staging.example.com"]),
    );
    expect(await groupOf(run, { URL: "https://staging.example.com:8443" })).toBe(
      "assay-target-staging.example.com:8443",
    );
    expect(await groupOf(run, { URL: "https://x\nname=y'$(touch z)" })).toBe("assay-target-xnameytouchz");
  });

  test.each(scripts)("$path: a custom name is the group, whatever the target", async ({ run }) => {
    const same = [{ URL: "https://a.example.com" }, { URL: "https://b.example.com" }, { TARGET: "b" }];
    expect(new Set(await Promise.all(same.map((env) => groupOf(run, { ...env, GROUP: "Staging" }))))).toEqual(
      new Set(["assay-target-staging"]),
    );
  });

  test.each(scripts)("$path: jobs without a token do not wait", async ({ run }) => {
    expect(await groupOf(run, { URL: "https://a", HAS_TOKEN: "false" })).toBe("assay-target-none-1-1-gate");
  });
});
