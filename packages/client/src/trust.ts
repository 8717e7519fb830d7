import { X509Certificate } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { rootCertificates } from "node:tls";
import { visibleText } from "@assay/evidence";
import { ClientError } from "./client-error.ts";
import { type Environment, firstSet } from "./environment.ts";

const maxCaBytes = 4 * 1024 * 1024;
const certificatePattern = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

function parseCertificates(path: string): readonly string[] {
  if (statSync(path).size > maxCaBytes) {
    throw new Error(`larger than ${maxCaBytes} bytes`);
  }
  const certificates = readFileSync(path, "utf8").match(certificatePattern);
  if (certificates === null) {
    throw new Error("no certificate in it");
  }
  // Throws for text between the markers that is no certificate; TLS would only fail much later, at the first request.
  return certificates.map((pem) => new X509Certificate(pem).toString());
}

function readCertificates(variable: string, path: string): readonly string[] {
  try {
    return parseCertificates(path);
  } catch (cause) {
    const why = cause instanceof Error ? visibleText(cause.message, 200) : "";
    const sentence = `${variable} names ${path}, which cannot be used (${why}); name a PEM file of certificates`;
    throw new ClientError("bad-ca", sentence, { cause });
  }
}

/**
 * Certificates to trust: those of Node and those in the files that `NODE_EXTRA_CA_CERTS` and `SSL_CERT_FILE` name, or
 * undefined when neither is set. Fails with `bad-ca` when a file cannot be used: without it every request would fail.
 */
export function trustedCertificates(env: Environment): readonly string[] | undefined {
  const files = ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE"].flatMap((name) => firstSet(env, [name]) ?? []);
  return files.length === 0
    ? undefined
    : [...rootCertificates, ...files.flatMap(({ name, value }) => readCertificates(name, value))];
}
