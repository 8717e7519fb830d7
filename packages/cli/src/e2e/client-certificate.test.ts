import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { join, relative } from "node:path";
import { TLSSocket } from "node:tls";
import { createCertificateMaker } from "@assay/tools/certificates";
import { scanForSecrets } from "@assay/evidence";
import type { LoadResult } from "@assay/results";
import { parseFaultChoice } from "@assay/reference-server";
import { openLedger } from "@assay/runner";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { passing } from "../doctor/testing/front-proxy.ts";
import { writeLoadRunFile } from "../load/load-run-file.ts";
import { askQuestion } from "../testing/ask-question.ts";
import { callAssay } from "../testing/call-assay.ts";
import { sharedRepository } from "../testing/git-repository.ts";
import { hasK6 } from "../testing/has-k6.ts";
import { type HostedServer, serverHost } from "../testing/hosted-server.ts";
import { hasTool } from "../testing/require-tool.ts";
import { secureFront } from "../testing/secure-front.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";

const run = promisify(execFile);
const cwd = temporaryFolder();
const repos = [sharedRepository()];
const startServer = serverHost();
const passphrase = "open-Sesame-42";
const secretNames = ["alice.key", "alice.locked.key", "alice.pem"];

/** Names of the client certificates of the requests. */
let peers = new Set<string>();
let server: HostedServer;
let url = "";
let env: Readonly<Record<string, string>> = {};

const peerOf = ({ socket }: IncomingMessage): string =>
  socket instanceof TLSSocket ? String(socket.getPeerCertificate().subject.CN) : "nobody";

const keySecret = () => {
  const value = readFileSync(join(cwd, "alice.key"), "utf8").replaceAll(/-----.*-----|\n/gu, "");
  return [
    { name: "key", value },
    { name: "passphrase", value: passphrase },
  ];
};

beforeAll(async () => {
  const make = createCertificateMaker(cwd);
  make.authority("ca");
  make.issue("server", { authority: "ca", names: "IP:127.0.0.1", days: 90 });
  make.issue("alice", { authority: "ca" });
  make.issue("bob", { authority: "ca" });
  make.lock("alice", passphrase);
  writeFileSync(join(cwd, "passphrase"), `${passphrase}\n`);
  server = await startServer({ repos, vocabulary: "observed" });
  const read = (name: string): string => readFileSync(join(cwd, name), "utf8");
  const listener = passing(server.url);
  url = await secureFront(
    { key: read("server.key"), cert: read("server.pem"), ca: read("ca.pem"), requestCert: true },
    (request, response) => {
      peers.add(peerOf(request));
      listener(request, response);
    },
  );
  env = { ASSAY_TOKEN: server.token, SSL_CERT_FILE: join(cwd, "ca.pem"), PATH: process.env["PATH"] ?? "" };
});
beforeEach(() => {
  peers = new Set();
});

const given = ["--client-cert", "alice.pem", "--client-key", "alice.key"];
const one = ["run", "--rule", "done-is-last", "--interface", "stream", "--access", "private", "--quiet"];

let number = 0;
/** Runs the command with its own folder, and checks that no key is stored there. */
async function call(args: readonly string[], more: Readonly<Record<string, string>> = {}) {
  number += 1;
  const ended = await callAssay([...args, "--out", `out/${number}`], { cwd, env: { ...env, ...more } });
  const stored = join(cwd, "out", String(number));
  mkdirSync(stored, { recursive: true });
  writeFileSync(join(stored, "output"), ended.out + ended.err);
  expect(await scanForSecrets(stored, keySecret())).toEqual([]);
  return ended;
}

describe.skipIf(!hasTool("openssl"))("a target that lets nobody in without a client certificate", () => {
  test.each<{ name: string; args: readonly string[]; env?: Readonly<Record<string, string>> }>([
    { name: "by flags", args: given },
    { name: "by variables", args: [], env: { ASSAY_CLIENT_CERT: "alice.pem", ASSAY_CLIENT_KEY: "alice.key" } },
    {
      name: "with a passphrase from a variable",
      args: ["--client-cert", "alice.pem", "--client-key", "alice.locked.key"],
      env: { ASSAY_CLIENT_PASSPHRASE: passphrase },
    },
    {
      name: "with a passphrase from a file",
      args: [...given.slice(0, 3), "alice.locked.key", "--client-passphrase-file", "passphrase"],
    },
    { name: "that is waited for", args: [...given, "--wait-for", "5"] },
  ])("is tested $name", async ({ args, env: more }) => {
    const { code, out, err } = await call([...one, "--url", url, ...args], more);
    expect([code, err, out]).toEqual([0, "", expect.stringContaining(" passed=1 ")]);
    expect([...peers]).toEqual(["alice"]);
  });

  test("is tested by a target of the configuration, whose paths are relative to its file", async () => {
    mkdirSync(join(cwd, "settings/keys"), { recursive: true });
    secretNames.forEach((name) => copyFileSync(join(cwd, name), join(cwd, "settings/keys", name)));
    const staging = {
      url,
      clientCert: "keys/alice.pem",
      clientKey: "keys/alice.locked.key",
      clientPassphraseVariable: "STAGING_PASSPHRASE",
    };
    writeFileSync(join(cwd, "settings/assay.config.json"), JSON.stringify({ targets: { staging } }));
    const file = ["--config", "settings/assay.config.json"];
    const { code, err } = await call([...file, ...one, "--target", "staging"], { STAGING_PASSPHRASE: passphrase });
    expect([code, err, [...peers]]).toEqual([0, "", ["alice"]]);
    const bob = ["--client-cert", "bob.pem", "--client-key", "bob.key"];
    const stronger = await call([...file, ...one, "--target", "staging", ...bob]);
    expect([stronger.code, [...peers]]).toEqual([0, ["alice", "bob"]]);
    const shown = await callAssay([...file, "config", "run", "--target", "staging"], { cwd, env });
    expect(shown.out).toMatch(/--client-cert +settings\/keys\/alice\.pem +settings\/assay\.config\.json: targets/u);
  });

  test.skipIf(!hasTool("curl"))("accepts the curl command of a finding", async () => {
    const faulty = await startServer({
      repos,
      vocabulary: "observed",
      fault: parseFaultChoice("comment"),
    });
    const read = (name: string): string => readFileSync(join(cwd, name), "utf8");
    const identity = { key: read("server.key"), cert: read("server.pem"), ca: read("ca.pem"), requestCert: true };
    const target = await secureFront(identity, passing(faulty.url));
    const variables = { ASSAY_CLIENT_CERT: "alice.pem", ASSAY_CLIENT_KEY: "alice.key", ASSAY_TOKEN: faulty.token };
    const { code, out } = await call(
      ["run", "--rule", "two-fields", "--access", "private", "--url", target],
      variables,
    );
    const [line = ""] = /curl -N .*/u.exec(out) ?? [];
    const { stdout } = await run("sh", ["-c", line], { cwd, env: { ...env, ...variables } });
    expect([code, stdout]).toEqual([1, expect.stringContaining(": ping")]);
  });

  test.each<{ name: string; args: readonly string[]; code: number; says: RegExp }>([
    { name: "none", args: [], code: 3, says: /asks for a client certificate, and none was given; see --client-cert/u },
    {
      name: "a wrong path",
      args: ["--client-cert", "alicia.pem"],
      code: 2,
      says: /alicia\.pem cannot be read: no such file or folder; did you mean `alice\.pem`/u,
    },
    {
      name: "a key that does not fit",
      args: ["--client-cert", "alice.pem", "--client-key", "bob.key"],
      code: 2,
      says: /the key in .*bob\.key does not match the client certificate in .*alice\.pem/u,
    },
    {
      name: "an encrypted key without its passphrase",
      args: ["--client-cert", "alice.pem", "--client-key", "alice.locked.key"],
      code: 2,
      says: /is encrypted, but no passphrase is set; set ASSAY_CLIENT_PASSPHRASE/u,
    },
    {
      name: "an empty name",
      args: ["--client-cert", ""],
      code: 2,
      says: /--client-cert is empty/u,
    },
  ])("is not tested with $name", async ({ args, code, says }) => {
    const ended = await call([...one, "--url", url, ...args]);
    expect([ended.code, ended.out + ended.err]).toEqual([code, expect.stringMatching(says)]);
    expect(ended.err).not.toMatch(/\n\s+at /u);
    expect([...peers]).toEqual([]);
  });

  test("serves the OpenAPI document that judges", async () => {
    const { code, err } = await call([...one, "--url", url, "--openapi", `${url}/api-reference`, ...given]);
    expect([code, err, [...peers]]).toEqual([0, "", ["alice"]]);
  });

  test("is checked by the doctor, which reports a missing one", async () => {
    const looked = await call(["doctor", "--url", url, "--access", "private", "--verbose", ...given]);
    expect([looked.err, [...peers]]).toEqual(["", ["alice"]]);
    expect(looked.out).toMatch(/✓ certificate +valid until/u);
    const without = await call(["doctor", "--url", url, "--access", "private"]);
    expect(without.out.replaceAll(/\s+/gu, " ")).toContain("pass one with --client-cert and --client-key");
  });

  test("is cleaned up", async () => {
    const marker = "20260102T030405Z-abcdef";
    const ledger = await openLedger(join(cwd, "killed"));
    const key = await ledger.recordIntent({ marker, interface: "legacy", credential: "access-token" });
    expect(await askQuestion(server.url, server.token, `Why? [assay run=${marker}]`)).toBe(true);
    await ledger.recordCreated(key, "1");
    await ledger.close();
    const loadRun = { assay: "load-run", version: 1, runId: marker, targets: [url], embedded: false } as const;
    await writeLoadRunFile(join(cwd, "killed"), loadRun);
    const { code, out } = await callAssay(["cleanup", "killed", ...given], { cwd, env });
    expect([code, out, [...peers]]).toEqual([
      0,
      expect.stringContaining("1 conversation deleted, 0 remaining"),
      ["alice"],
    ]);
    expect(await server.conversationCount()).toBe(0);
  });

  test.skipIf(!hasK6())("is loaded by k6, which trusts what NODE_EXTRA_CA_CERTS names, from wherever", async () => {
    const load = ["load", "search-first-match", "--duration", "3s", "--warmup", "0s", "--rate", "2", "--quiet"];
    const trusted = { SSL_CERT_FILE: "", NODE_EXTRA_CA_CERTS: relative(process.cwd(), join(cwd, "ca.pem")) };
    await call([...load, "--no-canary", "--url", url, "--limits", "local", ...given], trusted);
    const out = join(cwd, "out", String(number));
    const result: LoadResult = JSON.parse(readFileSync(join(out, "load.json"), "utf8"));
    expect(Object.keys(result.outcomes["stream"] ?? {})).toEqual(["ok"]);
    expect(readdirSync(out).filter((name) => name.endsWith(".pem"))).toEqual([]);
  });

  test.skipIf(!hasK6())("is loaded by k6, which is given the key by a variable alone", async () => {
    const load = ["load", "search-first-match", "--duration", "3s", "--warmup", "0s", "--rate", "2", "--quiet"];
    const { err } = await call([...load, "--no-canary", "--url", url, "--limits", "local", ...given]);
    const result: LoadResult = JSON.parse(readFileSync(join(cwd, "out", String(number), "load.json"), "utf8"));
    expect([err, [...peers]]).toEqual(["", ["alice"]]);
    expect(result.outcomes["stream"]?.ok).toBeGreaterThan(3);
    const without = await call([...load, "--no-canary", "--url", url, "--limits", "local"]);
    expect([without.code, [...peers]]).toEqual([3, ["alice"]]);
  });
});
