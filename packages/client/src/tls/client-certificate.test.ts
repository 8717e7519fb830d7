import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createProxyServer } from "node:http";
import { createServer, type ServerOptions } from "node:https";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TLSSocket } from "node:tls";
import { createCertificateMaker } from "@assay/tools/certificates";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CertificateSources, readClientCertificate } from "./client-certificate.ts";
import { createClient } from "../client.ts";
import type { Environment } from "../credentials/environment.ts";
import { createRunClock } from "../run-clock.ts";
import { type Loopback, serve } from "../testing/loopback.ts";

const passphrase = "open-Sesame 42";
let folder = "";
const at = (name: string): string => join(folder, name);
const read = (name: string): string => readFileSync(at(name), "utf8");

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-client-certificate-"));
  const make = createCertificateMaker(folder);
  make.authority("ca");
  make.authority("stranger-ca");
  make.issue("server", { authority: "ca", names: "IP:127.0.0.1,DNS:search.invalid" });
  make.issue("alice", { authority: "ca" });
  make.issue("old", { authority: "ca", days: -1 });
  make.issue("stranger", { authority: "stranger-ca" });
  make.lock("alice", passphrase);
  make.lock("alice", passphrase, { traditional: true });
  writeFileSync(at("both.pem"), read("alice.key") + read("alice.pem"));
  writeFileSync(at("chain.pem"), read("ca.pem") + read("alice.pem") + read("alice.key"));
  writeFileSync(at("passphrase"), `${passphrase}\n`);
  writeFileSync(at("empty.pem"), "");
  writeFileSync(at("broken.pem"), "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
  writeFileSync(at("broken.key"), "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Named {
  readonly certificate?: string;
  readonly key?: string;
  readonly passphraseFile?: string;
}

const sourcesOf = ({ certificate, key, passphraseFile }: Named): CertificateSources => ({
  certificateFile: certificate && at(certificate),
  keyFile: key && at(key),
  passphraseFile: passphraseFile && at(passphraseFile),
});

const alice: Named = { certificate: "alice.pem", key: "alice.key" };

describe("a client certificate is read", () => {
  test.each<{ name: string; files: Named; env?: Environment }>([
    { name: "from two files", files: alice },
    { name: "from one with both", files: { certificate: "both.pem" } },
    {
      name: "with a passphrase from a variable",
      files: { certificate: "alice.pem", key: "alice.locked.key" },
      env: { ASSAY_CLIENT_PASSPHRASE: passphrase },
    },
    {
      name: "with a passphrase from a file, which wins",
      files: { certificate: "alice.pem", key: "alice.locked.key", passphraseFile: "passphrase" },
      env: { ASSAY_CLIENT_PASSPHRASE: "another one" },
    },
    {
      name: "with a key in the older form",
      files: { certificate: "alice.pem", key: "alice.older.key" },
      env: { ASSAY_CLIENT_PASSPHRASE: passphrase },
    },
    { name: "with a passphrase that is not needed", files: alice, env: { ASSAY_CLIENT_PASSPHRASE: "x" } },
  ])("$name", async ({ files, env = {} }) => {
    const found = await readClientCertificate(sourcesOf(files), env);
    expect(found?.key.trim()).toBe(read("alice.key").trim());
    expect(found?.certificates.trim()).toBe(read("alice.pem").trim());
    const line = read("alice.key").replaceAll(/-----.*-----|\n/g, "");
    expect(found?.secrets.map(({ value }) => value)).toContain(line);
  });

  test("or not at all if none is named", async () => {
    expect(await readClientCertificate({}, { ASSAY_CLIENT_PASSPHRASE: passphrase })).toBeUndefined();
  });

  test("with its passphrase among the secrets", async () => {
    const files = sourcesOf({ certificate: "alice.pem", key: "alice.locked.key" });
    const found = await readClientCertificate(files, { ASSAY_CLIENT_PASSPHRASE: passphrase });
    expect(found?.secrets).toContainEqual({ name: "ASSAY_CLIENT_PASSPHRASE", value: passphrase });
  });
});

describe("a client certificate is refused in one sentence that quotes no secret", () => {
  test.each<{ name: string; files: Named; env?: Environment; says: RegExp }>([
    { name: "a wrong path", files: { certificate: "alicia.pem" }, says: /alicia\.pem cannot be read; check its path$/ },
    {
      name: "a wrong path of a key",
      files: { certificate: "alice.pem", key: "alicia.key" },
      says: /the key of the client certificate .*alicia\.key cannot be read; check its path$/,
    },
    { name: "a key alone", files: { key: "alice.key" }, says: /without its client certificate; pass --client-cert/ },
    { name: "a folder", files: { certificate: "." }, says: /is a folder; pass a PEM file that contains it$/ },
    { name: "an empty file", files: { certificate: "empty.pem" }, says: /contains no PEM certificate; .*pkcs12/ },
    {
      name: "a broken certificate",
      files: { certificate: "broken.pem" },
      says: /contains an invalid certificate; check that the file/,
    },
    { name: "no key", files: { certificate: "alice.pem" }, says: /contains no key; pass its file with --client-key$/ },
    {
      name: "a file without a key",
      files: { certificate: "alice.pem", key: "ca.pem" },
      says: /ca\.pem contains no PEM key/,
    },
    {
      name: "a broken key",
      files: { certificate: "alice.pem", key: "broken.key" },
      says: /the key in .*broken\.key cannot be read; check that the file is complete$/,
    },
    {
      name: "a key of another certificate",
      files: { certificate: "alice.pem", key: "old.key" },
      says: /the key in .*old\.key does not match the client certificate in .*alice\.pem; pass a matching pair/,
    },
    {
      name: "a chain in the wrong order",
      files: { certificate: "chain.pem" },
      says: /do not match; the client's own certificate must be the first/,
    },
    {
      name: "no passphrase",
      files: { certificate: "alice.pem", key: "alice.locked.key" },
      says: /is encrypted, but no passphrase is set; set ASSAY_CLIENT_PASSPHRASE/,
    },
    {
      name: "a wrong passphrase",
      files: { certificate: "alice.pem", key: "alice.locked.key" },
      env: { ASSAY_CLIENT_PASSPHRASE: "wrong-Sesame" },
      says: /is encrypted, and the passphrase from ASSAY_CLIENT_PASSPHRASE is wrong$/,
    },
    {
      name: "a missing passphrase file",
      files: { certificate: "alice.pem", key: "alice.locked.key", passphraseFile: "nothing" },
      says: /the passphrase file .*nothing cannot be read/,
    },
  ])("$name", async ({ files, env = {}, says }) => {
    const reading = readClientCertificate(sourcesOf(files), env);
    await expect(reading).rejects.toThrow(/^bad-client-certificate: /);
    await expect(reading).rejects.toThrow(says);
    await expect(reading).rejects.toThrow(/^(?!.*(?:Sesame|PRIVATE KEY|BEGIN))/s);
  });
});

/**
 * A server that asks every client for a certificate, by default refuses unknown ones, and answers with the client's name.
 */
const guarded = (options: ServerOptions = {}): Promise<Loopback> =>
  serve(
    createServer(
      { key: read("server.key"), cert: read("server.pem"), ca: read("ca.pem"), requestCert: true, ...options },
      ({ socket }, response) => response.end(peerOf(socket)),
    ),
  );

function peerOf(socket: unknown): string {
  const { subject } = socket instanceof TLSSocket ? socket.getPeerCertificate() : {};
  return subject === undefined ? "nobody" : String(subject.CN);
}

async function search(baseUrl: string, files: Named, more: { readonly env?: Environment; readonly url?: string } = {}) {
  const clientCertificate = await readClientCertificate(sourcesOf(files), {});
  const env = { SSL_CERT_FILE: at("ca.pem"), ...more.env };
  const client = createClient({ baseUrl, clock: createRunClock(), userAgent: "assay/test", env, clientCertificate });
  const { end, response } = await client.send({ url: more.url ?? `${baseUrl}/` });
  return { end, body: Buffer.concat((response?.chunks ?? []).map(({ bytes }) => bytes)).toString() };
}

describe("a target that asks for a client certificate", () => {
  test.each([
    { name: "is given it", files: alice, peer: "alice" },
    { name: "gets none if none was named", files: {}, peer: "nobody" },
  ])("$name", async ({ files, peer }) => {
    await using server = await guarded({ rejectUnauthorized: false });
    expect(await search(`https://127.0.0.1:${server.port}`, files)).toEqual({ end: { kind: "complete" }, body: peer });
  });

  test("of another origin gets none", async () => {
    await using server = await guarded({ rejectUnauthorized: false });
    const url = `https://127.0.0.1:${server.port}/`;
    expect(await search("https://127.0.0.1:1", alice, { url })).toMatchObject({ body: "nobody" });
  });

  test("gets it through the tunnel of a proxy", async () => {
    await using server = await guarded({ rejectUnauthorized: false });
    const tunnels: unknown[] = [];
    const proxy = createProxyServer().on("connect", (request, socket) => {
      tunnels.push(request.url);
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      const onward = connect(server.port, "127.0.0.1").on("error", () => socket.destroy());
      socket.on("error", () => onward.destroy());
      socket.pipe(onward).pipe(socket);
    });
    await using running = await serve(proxy);
    const env = { HTTPS_PROXY: running.url };
    expect(await search("https://search.invalid", alice, { env })).toMatchObject({ body: "alice" });
    expect(tunnels).toEqual(["search.invalid:443"]);
  });
});

/** An OpenSSL server, which sends TLS alerts with the reason of a refusal. */
async function strictServer(version: string): Promise<AsyncDisposable & { readonly port: number }> {
  const identity = ["-key", at("server.key"), "-cert", at("server.pem"), "-CAfile", at("ca.pem")];
  const strict = ["-Verify", "1", "-verify_return_error", version, "-www"];
  const child = spawn("openssl", ["s_server", "-accept", "127.0.0.1:0", ...identity, ...strict]);
  const closed = once(child, "close");
  const lines = createInterface(child.stdout);
  // It prints its port.
  const port = await new Promise<number>((resolve) =>
    lines.on("line", (line) => [...line.matchAll(/^ACCEPT .*:(\d+)$/g)].forEach(([, text]) => resolve(Number(text)))),
  );
  return {
    port,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await closed;
    },
  };
}

describe("a handshake that is refused because of the client certificate says why", () => {
  const missing = /asks for a client certificate, and none was given; see --client-cert \(/;
  test.each<{ name: string; version: string; files: Named; says: RegExp }>([
    { name: "there is none", version: "-tls1_3", files: {}, says: missing },
    {
      name: "the authority is unknown",
      version: "-tls1_3",
      files: { certificate: "stranger.pem", key: "stranger.key" },
      says: /it does not trust the authority that signed the client certificate/,
    },
    {
      name: "it has expired",
      version: "-tls1_3",
      files: { certificate: "old.pem", key: "old.key" },
      says: /the client certificate has expired for it/,
    },
    {
      name: "it has expired, in the previous version",
      version: "-tls1_2",
      files: { certificate: "old.pem", key: "old.key" },
      says: /the client certificate has expired for it/,
    },
  ])("$name", async ({ version, files, says }) => {
    await using server = await strictServer(version);
    const { end } = await search(`https://127.0.0.1:${server.port}`, files);
    expect(end).toMatchObject({ kind: "failed", code: "tls", message: expect.stringMatching(says) });
  });

  test("or that it may have been, by a target that gives no reason", async () => {
    await using server = await guarded();
    const { end } = await search(`https://127.0.0.1:${server.port}`, { certificate: "old.pem", key: "old.key" });
    expect(end).toMatchObject({ message: expect.stringMatching(/; it may have refused the client certificate \(/) });
  });
});
