import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createClient } from "../client.ts";
import type { Environment } from "../credentials/environment.ts";
import { type Loopback, serve } from "../testing/loopback.ts";
import { createRunClock } from "../run-clock.ts";

let folder = "";

/** A key and certificate created by openssl. */
function makeCertificate(name: string, subjectAltName: string): string {
  const files = ["-keyout", join(folder, `${name}.key`), "-out", join(folder, `${name}.pem`)];
  const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", `/CN=${name}`];
  execFileSync("openssl", ["req", "-x509", ...kind, "-addext", `subjectAltName=${subjectAltName}`, ...files], {
    stdio: "ignore",
  });
  return join(folder, `${name}.pem`);
}

/** An expired, self-signed certificate. */
function makeExpired(): void {
  const base = join(folder, "expired");
  makeCertificate("expired", "IP:127.0.0.1");
  const sign = ["x509", "-in", `${base}.pem`, "-signkey", `${base}.key`, "-days", "-1", "-out", `${base}.pem`];
  execFileSync("openssl", sign, { stdio: "ignore" });
}

const serveTls = (name: string): Promise<Loopback> =>
  serve(
    createServer(
      { key: readFileSync(join(folder, `${name}.key`)), cert: readFileSync(join(folder, `${name}.pem`)) },
      (_request, response) => response.end("ok"),
    ),
  );

async function search(name: string, env: Environment) {
  await using server = await serveTls(name);
  const baseUrl = `https://127.0.0.1:${server.port}`;
  const client = createClient({ baseUrl, clock: createRunClock(), userAgent: "assay/test", env });
  return await client.search({ parameters: {}, credential: "none" });
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-tls-"));
  makeCertificate("good", "IP:127.0.0.1");
  makeCertificate("other-name", "DNS:other.example");
  makeExpired();
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

test.each(["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE"])(
  "a certificate in the file that %s names is trusted",
  async (variable) => {
    const draft = await search("good", { [variable]: join(folder, "good.pem") });
    expect(draft).toMatchObject({ end: { kind: "complete" }, response: { status: 200 } });
  },
);

describe("1: TLS is refused and the sentence says why", () => {
  test.each([
    { name: "good", trusted: undefined, message: /self-signed; see NODE_EXTRA_CA_CERTS/ },
    { name: "good", trusted: "other-name", message: /self-signed/ },
    { name: "other-name", trusted: "other-name", message: /is for another name/ },
    { name: "expired", trusted: "expired", message: /has expired/ },
  ])("for the certificate $name when $trusted is trusted", async ({ name, trusted, message }) => {
    const env = trusted === undefined ? {} : { SSL_CERT_FILE: join(folder, `${trusted}.pem`) };
    const { end, response } = await search(name, env);
    expect(end).toMatchObject({ kind: "failed", code: "tls", message: expect.stringMatching(message) });
    expect(response).toBeUndefined();
  });
});

describe("an unusable certificate file is refused before anything is sent", () => {
  test.each([
    { name: "missing", content: undefined },
    { name: "without certificates", content: "hello" },
    { name: "with a broken certificate", content: "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n" },
  ])("$name", ({ name, content }) => {
    const path = join(folder, `${name}.txt`);
    [content].filter((text) => text !== undefined).forEach((text) => writeFileSync(path, text));
    const create = () =>
      createClient({ baseUrl: "https://h", clock: createRunClock(), userAgent: "x", env: { SSL_CERT_FILE: path } });
    expect(create).toThrow(/^bad-ca: SSL_CERT_FILE refers to .*; set it to a PEM file of certificates$/);
  });
});
