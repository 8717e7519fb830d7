import { readFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { join } from "node:path";
import { createCertificateMaker } from "@assay/tools/certificates";
import { everyNth } from "@assay/tools/proving";
import { beforeAll, describe, expect, test } from "vitest";
import { sharedRepository } from "../testing/git-repository.ts";
import { hasTool } from "../testing/require-tool.ts";
import { http2Front } from "../testing/secure-front.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import type { DoctorOptions } from "./doctor-options.ts";
import { examined, examinedUntil, serverFor } from "./testing/examined.ts";
import { buffering, passing } from "./testing/front-proxy.ts";

const folder = temporaryFolder();
const repo = sharedRepository();
const read = (name: string): string => readFileSync(join(folder, name), "utf8");

describe.skipIf(!hasTool("openssl"))("the proxy", () => {
  beforeAll(() => {
    const make = createCertificateMaker(folder);
    make.authority("ca");
    make.issue("server", { authority: "ca", names: "IP:127.0.0.1", days: 90 });
  });

  type Way = (target: string) => RequestListener;
  const cases: readonly {
    readonly name: string;
    readonly one: Way;
    readonly two: Way;
    readonly options?: DoctorOptions;
    readonly is: RegExp;
    readonly code: number;
  }[] = [
    {
      name: "buffers only over HTTP/1.1",
      one: buffering,
      two: passing,
      is: /^problem: streams are held back over HTTP\/1\.1 \(.*\) and not over HTTP\/2$/u,
      code: 1,
    },
    {
      name: "buffers only over HTTP/2, which an HTTP/1.1 client would not notice",
      one: passing,
      two: buffering,
      is: /^problem: streams are held back over HTTP\/2 \(.*\) and not over HTTP\/1\.1$/u,
      code: 1,
    },
    {
      name: "buffers only over HTTP/2, tested with HTTP/2",
      one: passing,
      two: buffering,
      options: { http: "2" },
      is: /^problem: streams are held back over HTTP\/2 \(.*\) and not over HTTP\/1\.1$/u,
      code: 1,
    },
    {
      name: "does not buffer over either",
      one: passing,
      two: passing,
      is: /^fine: HTTP\/1\.1 and HTTP\/2; over HTTP\/2 2 of 2 streams arrived while the search ran/u,
      code: 0,
    },
  ];

  test.concurrent.each(everyNth(cases, 2))("$name", { tags: "more" }, async ({ one, two, options = {}, is, code }) => {
    const server = await serverFor(repo, { fault: "trickle:ms=1200,searches=99" });
    const answers = { one: one(server.url), two: two(server.url) };
    const url = await http2Front({ key: read("server.key"), cert: read("server.pem"), allowHTTP1: true }, answers);
    const env = { SRC_ENDPOINT: url, SRC_ACCESS_TOKEN: server.token, SSL_CERT_FILE: join(folder, "ca.pem") };
    const seen = await examinedUntil(
      ({ line }) => is.test(line("http-versions")),
      (out) => examined({ ...options, out }, env),
    );
    expect([seen.line("http-versions"), seen.code]).toEqual([seen.found(is), seen.ends(code)]);
  });
});
