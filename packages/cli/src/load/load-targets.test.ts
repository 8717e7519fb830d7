import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createCertificateMaker } from "@assay/tools/certificates";
import { beforeAll, describe, expect, test } from "vitest";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { testContext } from "../testing/test-context.ts";
import type { FileTargets } from "../config/file-targets.ts";
import type { LoadOptions } from "./load-options.ts";
import { openLoadTargets } from "./load-targets.ts";

const cwd = temporaryFolder();
const token = "sgp_0123456789abcdef0123456789abcdef01234567";
const other = "sgp_fedcba9876543210fedcba9876543210fedcba98";
writeFileSync(join(cwd, "token"), `${other}\n`);

const a = "https://a.example.com/one";
const b = "https://b.example.com";
const named = { limits: "staging", confirmHost: ["a.example.com", "b.example.com"] } as const;

const open = (options: Partial<LoadOptions>, env: NodeJS.ProcessEnv = {}) =>
  openLoadTargets(
    { canary: true, seed: 1, ...named, ...options },
    testContext({ cwd, env: { ASSAY_TOKEN: token, ...env } }),
  );

describe("the head", () => {
  test.each<{ name: string; options: Partial<LoadOptions>; env?: NodeJS.ProcessEnv; given: string | undefined }>([
    { name: "is never given the token of another host", options: { url: a, against: b }, given: undefined },
    {
      name: "is never given the token of this machine",
      options: { url: "http://127.0.0.1:1", against: b },
      given: undefined,
    },
    {
      name: "on this machine is never given the token of another host",
      options: { url: a, against: "http://127.0.0.1:1" },
      given: undefined,
    },
    {
      name: "on another port is another host",
      options: { url: a, against: "https://a.example.com:8443" },
      given: undefined,
    },
    { name: "in plain text is another host", options: { url: a, against: "http://a.example.com" }, given: undefined },
    {
      name: "of the same origin has the same token",
      options: { url: a, against: "https://a.example.com/two" },
      given: token,
    },
    {
      name: "on this machine as the base has the same token",
      options: { url: "http://127.0.0.1:1", against: "http://localhost:2" },
      given: token,
    },
    { name: "has its own token", options: { url: a, against: b }, env: { ASSAY_AGAINST_TOKEN: other }, given: other },
    { name: "has the token of its file", options: { url: a, against: b, againstTokenFile: "token" }, given: other },
  ])("$name", async ({ options, env = {}, given }) => {
    const targets = await open(options, env);
    expect([targets.base.token, targets.head?.token]).toEqual([token, given]);
    expect(targets.secrets.map(({ value }) => value)).toEqual(expect.arrayContaining([token, given ?? token]));
  });

  test("is not sent headers that are meant for the base", async () => {
    await expect(open({ url: a, against: b }, { SRC_HEADER_X_KEY: "0123456789" })).rejects.toThrow(
      /\(x_key\) would be sent to both a\.example\.com and b\.example\.com/u,
    );
  });
});

describe("the target", () => {
  test("is that of SRC_ENDPOINT without an address, with the headers for it", async () => {
    const targets = await open({}, { SRC_ENDPOINT: `${a}/`, SRC_HEADERS: "x-key:0123456789" });
    expect(targets).toMatchObject({
      base: { url: a, embedded: false, token },
      extraHeaders: [["x-key", "0123456789"]],
    });
  });

  test("has no password in its address", async () => {
    await expect(open({ url: "https://me:secret@a.example.com" })).rejects.toThrow(/contains a user name or password/u);
  });

  test.each([{ url: a }, { url: a, against: b }, {}])(
    "is slowed only if both are embedded: not by %j",
    async (options) => {
      await expect(open({ ...options, againstFactor: 1.5 })).rejects.toThrow(/use it with --against embedded/u);
    },
  );

  test("is no embedded server when a latency is given", async () => {
    await expect(open({ url: a, latency: "laptop" })).rejects.toThrow(/--latency is for the embedded server/u);
  });

  test("is by default a server in another process, which ends with the run", async () => {
    const targets = await openLoadTargets({ canary: true, seed: 1 }, testContext({ cwd, env: process.env }));
    const answer = await fetch(`${targets.base.url}/.api/search/stream?q=count:1`, {
      headers: { authorization: `token ${targets.base.token ?? ""}` },
    });
    expect([answer.status, targets.base.embedded, targets.limits.name]).toEqual([200, true, "local"]);
    await answer.body?.cancel();
    await targets.close();
    await expect(fetch(targets.base.url)).rejects.toThrow("fetch failed");
  });
});

describe("a client certificate", () => {
  beforeAll(() => {
    const make = createCertificateMaker(cwd);
    make.authority("ca");
    make.issue("alice", { authority: "ca" });
    make.issue("bob", { authority: "ca" });
  });

  const of = (name: string) => ({ clientCert: `${name}.pem`, clientKey: `${name}.key` });
  const targetsWith = (one: object, two: object): FileTargets => ({
    file: { path: join(cwd, "assay.config.json"), displayPath: "assay.config.json" },
    targets: { one: { url: a, ...one }, two: { url: b, ...two } },
  });

  test.each([
    { name: "of a flag is for both", options: of("alice"), given: [true, true] },
    {
      name: "of the base is for both",
      options: { fileTargets: targetsWith(of("alice"), {}) },
      given: [true, true],
    },
    {
      name: "of the head is for it alone",
      options: { fileTargets: targetsWith({}, of("bob")) },
      given: [false, true],
    },
    {
      name: "that both have is for both",
      options: { fileTargets: targetsWith(of("alice"), of("alice")) },
      given: [true, true],
    },
    { name: "that is not given is for none", options: {}, given: [false, false] },
  ])("$name", async ({ options, given }) => {
    const targets = await open({ url: a, against: b, ...options });
    expect([targets.base, targets.head].map((target) => target?.clientCertificate !== undefined)).toEqual(given);
  });

  test("that differs between the two is refused, since k6 accepts one", async () => {
    const fileTargets = targetsWith(of("alice"), of("bob"));
    await expect(open({ url: a, against: b, fileTargets })).rejects.toThrow(
      /^a\.example\.com and b\.example\.com have different client certificates in the configuration, and k6 uses one/u,
    );
  });
});
