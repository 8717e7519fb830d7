import { createCertificateMaker } from "@assay/tools/certificates";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { member } from "@assay/reading";
import { callAssay } from "../testing/call-assay.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";

const cwd = temporaryFolder();
const token = "token-of-the-environment";
const sentence = /^assay: [^\n]+\n(?:See `assay [a-z ]*--help`\.\n)?$/u;

/** Creates a folder with a kubectl that answers for each first words of its arguments. Every other call fails. */
function createPath(name: string, answers: Readonly<Record<string, string>>): string {
  const folder = join(cwd, name);
  mkdirSync(folder);
  const cases = Object.entries(answers).map(([words, command]) => `  *"${words}"*) ${command};;`);
  const script = ["#!/bin/sh", `echo "$*" >> ${join(folder, "calls")}`, 'case "$*" in', ...cases];
  writeFileSync(join(folder, "kubectl"), `${[...script, '  *) echo "error: $*" >&2; exit 1;;', "esac"].join("\n")}\n`);
  chmodSync(join(folder, "kubectl"), 0o755);
  return folder;
}

const knownContext = { "config get-contexts production": "echo production" };
const hasOperator = { ...knownContext, "api-resources": "echo testruns.k6.io" };

const target = ["--url", "https://search.example.com", "--limits", "staging", "--confirm-host", "search.example.com"];
const cluster = ["--kubernetes", "production", "--image", "registry.example.com/assay-k6:1"];

const load = (args: readonly string[], path = "") =>
  callAssay(["load", "search-first-match", ...args], { cwd, env: { PATH: path, ASSAY_TOKEN: token } });

describe("a load in a cluster that cannot begin ends with one sentence", () => {
  test.each<{ name: string; args: readonly string[]; says: RegExp }>([
    { name: "no image", args: [...target, "--kubernetes", "production"], says: /needs the image of the runners/u },
    { name: "no runners", args: [...target, ...cluster, "--runners", "0"], says: /from 1 to 1000/u },
    { name: "too many runners", args: [...target, ...cluster, "--runners", "1001"], says: /from 1 to 1000/u },
    { name: "no cluster for the runners", args: [...target, "--runners", "2"], says: /--runners .* --kubernetes/u },
    { name: "no cluster to print for", args: [...target, "--dry-run"], says: /--dry-run .* --kubernetes/u },
    { name: "no target", args: cluster, says: /needs a target that the cluster can reach/u },
    {
      name: "a target on this machine",
      args: ["--url", "http://127.0.0.1:7080", ...cluster],
      says: /127\.0\.0\.1:7080 is this machine, which pods cannot reach/u,
    },
    {
      name: "an unconfirmed host",
      args: ["--url", "https://x.example", "--limits", "staging", ...cluster],
      says: /--confirm-host x\.example/u,
    },
    {
      name: "an embedded latency",
      args: [...target, ...cluster, "--latency", "laptop"],
      says: /--latency does not go/u,
    },
    { name: "a dashboard", args: [...target, ...cluster, "--dashboard"], says: /--dashboard does not go/u },
    { name: "a file of k6", args: [...target, ...cluster, "--k6-out", "json=x"], says: /it writes a file in a pod/u },
    {
      name: "an output with a comma",
      args: [...target, ...cluster, "--k6-out", "influxdb=http://a,b"],
      says: /which it divides at the comma/u,
    },
    {
      name: "an aborting threshold",
      args: [...target, ...cluster, "--abort-threshold", "ok-rate > 0.5"],
      says: /--abort-threshold does not go with --kubernetes: .*use --threshold/u,
    },
  ])("$name", async ({ args, says }) => {
    const { code, err } = await load(args);
    expect([code, err]).toEqual([2, expect.stringMatching(sentence)]);
    expect(err).toMatch(says);
  });

  test.each<{ name: string; answers: Readonly<Record<string, string>>; code: number; says: RegExp }>([
    {
      name: "an unknown context",
      answers: { "config get-contexts --output name": "printf 'staging\\nlab\\n'" },
      code: 2,
      says: /there is no context production in the kubeconfig; there are staging, lab/u,
    },
    {
      name: "no operator",
      answers: { ...knownContext, "api-resources": "true" },
      code: 2,
      says: /not have the k6-operator/u,
    },
    {
      name: "a silent cluster",
      answers: knownContext,
      code: 3,
      says: /the cluster production does not answer: error/u,
    },
    {
      name: "an unknown namespace",
      answers: { ...hasOperator, "get namespace": "echo 'Error from server (NotFound): x' >&2; exit 1" },
      code: 2,
      says: /there is no namespace lab; create it with `kubectl create namespace lab`/u,
    },
  ])("$name", async ({ name, answers, code: expectedCode, says }) => {
    const path = createPath(name.replaceAll(" ", "-"), answers);
    const { code, err } = await load([...target, ...cluster, "--namespace", "lab"], path);
    expect([code, err]).toEqual([expectedCode, expect.stringMatching(sentence)]);
    expect(err).toMatch(says);
    expect(readFileSync(join(path, "calls"), "utf8")).not.toContain("create");
  });

  test("no kubectl", async () => {
    const { code, err } = await load([...target, ...cluster], join(cwd, "nothing"));
    expect([code, err]).toEqual([2, expect.stringMatching(sentence)]);
    expect(err).toMatch(/needs kubectl, and there is none on the PATH/u);
  });
});

test("the coordinator needs the key of its runners", async () => {
  const { code, err } = await callAssay(["load", "coordinate"], { cwd, env: {} });
  expect([code, err]).toEqual([2, "assay: the key of the runners is missing; set ASSAY_COORDINATOR_KEY\n"]);
});

describe("--dry-run", () => {
  test("prints the objects without kubectl and without the token, and writes nothing", async () => {
    const filesBefore = readdirSync(cwd);
    const { code, out, err } = await load([...target, ...cluster, "--runners", "3", "--rate", "7", "--dry-run"]);
    expect(code).toBe(0);
    const manifests = parseAllDocuments(out).map((document): unknown => document.toJS());
    expect(manifests.map((manifest) => member(manifest, "kind"))).toContain("TestRun");
    expect(out).toContain("parallelism: 3");
    expect(out).toContain('"ratePerSecond": 7');
    expect(`${out}${err}`).not.toContain(token);
    expect(err).toMatch(/^The Secret assay-load-\w+-token is not shown/u);
    expect(readdirSync(cwd)).toEqual(filesBefore);
    expect(existsSync(join(cwd, "reports"))).toBe(false);
  });

  test("prints the certificates that the environment names", async () => {
    createCertificateMaker(cwd).authority("authority");
    const env = { NODE_EXTRA_CA_CERTS: join(cwd, "authority.pem") };
    const args = ["load", "search-first-match", ...target, ...cluster, "--dry-run"];
    const { code, out } = await callAssay(args, { cwd, env });
    expect(code).toBe(0);
    expect(out).toContain("/authorities");
    expect(out.match(/BEGIN CERTIFICATE/gu)).toHaveLength(1);
    const { code: refused, err } = await callAssay(args, { cwd, env: { NODE_EXTRA_CA_CERTS: join(cwd, "none.pem") } });
    expect([refused, err]).toEqual([2, expect.stringContaining("NODE_EXTRA_CA_CERTS refers to")]);
  });

  test("prints a user's script", async () => {
    writeFileSync(join(cwd, "own.js"), 'import assay from "k6/x/assay";\nexport default () => assay;\n');
    const { code, out } = await callAssay(["load", "own.js", ...target, ...cluster, "--dry-run"], { cwd, env: {} });
    expect(code).toBe(0);
    expect(out).toContain("k6/x/assay");
    expect(out).toContain("-script");
  });
});
