import { X509Certificate } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { rootCertificates } from "node:tls";
import { HarnessError } from "@assay/contract";
import { visibleText } from "@assay/evidence";
import type { ExchangeDraft, TlsFile } from "@assay/evidence";
import { findFirstSet } from "../credentials/environment.ts";
import type { Environment } from "../credentials/environment.ts";
import type { ClientCertificate } from "./client-certificate.ts";

const maxCaBytes = 4 * 1024 * 1024;
const certificatePattern = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

function parseCertificates(path: string): readonly string[] {
  if (statSync(path).size > maxCaBytes) {
    throw new Error(`it is larger than ${maxCaBytes} bytes`);
  }
  const certificates = readFileSync(path, "utf8").match(certificatePattern);
  if (certificates === null) {
    throw new Error("it contains no certificate");
  }
  // Throws for an invalid certificate. TLS would fail only at the first request.
  return certificates.map((pem) => new X509Certificate(pem).toString());
}

function readCertificates(variable: string, path: string): readonly string[] {
  try {
    return parseCertificates(path);
  } catch (cause) {
    const reason = cause instanceof Error ? visibleText(cause.message, 200) : "";
    const message = `${variable} refers to ${path}, which cannot be used (${reason}); set it to a PEM file of certificates`;
    throw new HarnessError("bad-ca", message, { cause });
  }
}

const authorityVariables = ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE"] as const;

const authorityFiles = { NODE_EXTRA_CA_CERTS: "node-extra-ca-certs", SSL_CERT_FILE: "ssl-cert-file" } as const;

export function listTlsFiles(
  env: Environment,
  certificate: ClientCertificate | undefined,
): Pick<ExchangeDraft, "tlsFiles"> {
  const authorities = authorityVariables.filter((name) => findFirstSet(env, [name]) !== undefined);
  const tlsFiles: readonly TlsFile[] = [
    ...(certificate === undefined ? [] : (["client-cert"] as const)),
    ...(certificate?.hasKeyFile === true ? (["client-key"] as const) : []),
    ...authorities.map((name) => authorityFiles[name]),
  ];
  return tlsFiles.length === 0 ? {} : { tlsFiles };
}

/**
 * Returns the certificates in the files of `NODE_EXTRA_CA_CERTS` and `SSL_CERT_FILE`, as PEM. Returns undefined if neither is set. Throws
 * `bad-ca` for an unusable file, because every request would fail.
 */
export function extraCertificates(env: Environment): readonly string[] | undefined {
  const files = authorityVariables.flatMap((name) => findFirstSet(env, [name]) ?? []);
  return files.length === 0 ? undefined : files.flatMap(({ name, value }) => readCertificates(name, value));
}

/** Returns the certificates to trust as PEM: those of Node and `extraCertificates`. Returns undefined if there are none of the latter. */
export function trustedCertificates(env: Environment): readonly string[] | undefined {
  const extra = extraCertificates(env);
  return extra && [...rootCertificates, ...extra];
}
