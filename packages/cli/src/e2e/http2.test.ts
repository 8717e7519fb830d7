import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createCertificateMaker } from "@assay/tools/certificates";
import { everyNth } from "@assay/tools/proving";
import { readBundle } from "@assay/evidence";
import { parseFaultChoice } from "@assay/reference-server";
import { beforeAll, describe, expect, test } from "vitest";
import { passing } from "../doctor/testing/front-proxy.ts";
import { createServerEnvironment } from "../serve/server-environment.ts";
import { callAssay } from "../testing/call-assay.ts";
import { sharedRepository } from "../testing/git-repository.ts";
import { type HostedServer, serverHost, unhurried } from "../testing/hosted-server.ts";
import { hasTool } from "../testing/require-tool.ts";
import { runInProcess, speaking } from "../testing/run-in-process.ts";
import { http2Front, secureFront } from "../testing/secure-front.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";

const cwd = temporaryFolder();
const repos = [sharedRepository()];
const startServer = serverHost();
const read = (name: string): string => readFileSync(join(cwd, name), "utf8");

let server: HostedServer;
let url = "";
let versions = new Set<string>();
let tokens: ReturnType<typeof createServerEnvironment>;

beforeAll(async () => {
  const make = createCertificateMaker(cwd);
  make.authority("ca");
  make.issue("server", { authority: "ca", names: "IP:127.0.0.1" });
  server = await startServer({ repos, vocabulary: "observed", ...unhurried });
  const pass = passing(server.url);
  const noted: typeof pass = (request, response) => {
    versions.add(request.httpVersion);
    pass(request, response);
  };
  const identity = { key: read("server.key"), cert: read("server.pem") };
  url = await http2Front({ ...identity, allowHTTP1: true }, { one: noted, two: noted });
  tokens = { ...createServerEnvironment(server), SSL_CERT_FILE: join(cwd, "ca.pem") };
});

describe.skipIf(!hasTool("openssl"))("over HTTP/2", () => {
  test.each(
    everyNth(
      [
        { http: "2" as const, wire: "2.0", recorded: "2", profile: "smoke" },
        { http: "2" as const, wire: "2.0", recorded: "2", profile: "release" },
        { http: "1.1" as const, wire: "1.1", recorded: "1.1", profile: "smoke" },
      ],
      3,
    ),
  )("a run over HTTP/$http ($profile) finds nothing, and says what it spoke", { tags: "more" }, async (row) => {
    const { http, wire, recorded, profile } = row;
    versions = new Set();
    const out = join(cwd, `run-${http}-${profile}`);
    const { SRC_ENDPOINT: _url, ASSAY_ACCESS: access, ASSAY_SHARING: sharing, ...env } = tokens;
    const all = { interface: ["stream", "legacy", "current"], profile, strict: true } as const;
    const { exitCode, result } = await runInProcess({ out, url, http, access, sharing, ...all }, env);
    expect([exitCode, speaking(result), result.incomplete]).toEqual([0, [], []]);
    expect([...versions]).toEqual([wire]);
    const { exchanges } = await readBundle(out);
    expect([...new Set(exchanges.map(({ record }) => record.httpVersion))]).toEqual([recorded]);
    expect(result.run.httpVersions).toEqual([recorded]);
  });

  test("a fault is found, and its curl line asks over HTTP/2 as well", async () => {
    const faulty = await startServer({ repos, vocabulary: "observed", fault: parseFaultChoice("comment") });
    const pass = passing(faulty.url);
    const identity = { key: read("server.key"), cert: read("server.pem") };
    const broken = await http2Front(identity, { one: pass, two: pass });
    const env = { ASSAY_TOKEN: faulty.token, SSL_CERT_FILE: join(cwd, "ca.pem") };
    const args = ["run", "--http", "2", "--url", broken, "--access", "private", "--rule", "two-fields"];
    const { code, out } = await callAssay([...args, "--out", "faulty"], { cwd, env });
    expect([code, out]).toEqual([1, expect.stringMatching(/curl -N --globoff --http2 --cacert "\$SSL_CERT_FILE"/u)]);
  });

  test.each([
    { name: "that offers HTTP/1.1 alone", http1: true, code: 3, says: "it does not offer HTTP/2" },
    {
      name: "that is asked by http",
      http1: false,
      code: 2,
      says: "HTTP/2 requires https, but the target uses http; use an https URL",
    },
  ])("a target $name is never tested in another way", async ({ http1, code, says }) => {
    const identity = { key: read("server.key"), cert: read("server.pem") };
    const target = http1 ? await secureFront(identity, passing(server.url)) : server.url;
    const args = ["run", "--http", "2", "--url", target, "--interface", "stream", "--quiet", "--out", `not-${code}`];
    const ended = await callAssay(args, { cwd, env: tokens });
    expect([ended.code, ended.out + ended.err]).toEqual([code, expect.stringContaining(says)]);
  });

  test("the embedded server is not tested in it", async () => {
    const { code, err } = await callAssay(["run", "--http", "2", "--out", "embedded"], { cwd });
    expect([code, err]).toEqual([2, expect.stringContaining("requires an instance with https")]);
  });
});
