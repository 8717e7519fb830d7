import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { HarnessError, defined, isHarnessError } from "@assay/contract";
import { minSecretLength, visibleText } from "@assay/evidence";
import type { Secret } from "@assay/evidence";
import { type Environment, firstSet } from "../credentials/environment.ts";
import { isProtocolText } from "../protocol-text.ts";
import { readSmallFile } from "../credentials/small-file.ts";

/** The identity of a client, for targets that request a certificate in the TLS handshake. */
export interface ClientCertificate {
  /** PEM: the client's certificate first, then intermediate ones. */
  readonly certificates: string;
  /** Decrypted PKCS #8 PEM. Never written anywhere. */
  readonly key: string;
  /** Set if the key is in a separate file. */
  readonly hasKeyFile: boolean;
  /** Key and passphrase as secrets for the redactor. */
  readonly secrets: readonly Secret[];
}

/** Sources of a client certificate. */
export interface CertificateSources {
  /** PEM file of the certificate, which may also contain the key. */
  readonly certificateFile?: string | undefined;
  /** PEM file of the key [the certificate file]. */
  readonly keyFile?: string | undefined;
  /** File with the passphrase of the key. Takes precedence over the variable. */
  readonly passphraseFile?: string | undefined;
  /** Variable with the passphrase [`ASSAY_CLIENT_PASSPHRASE`]. */
  readonly passphraseVariable?: string | undefined;
}

/** Default variable of the passphrase. */
export const passphraseVariable = "ASSAY_CLIENT_PASSPHRASE";

const maxBytes = 1024 * 1024;

const certificatePattern =
  /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[^-]+-----END (?:TRUSTED |X509 )?CERTIFICATE-----/g;
// Encrypted keys in the older form may contain hyphens.
const keyPattern = /-----BEGIN ([A-Z0-9 ]*)PRIVATE KEY-----[^]*?-----END \1PRIVATE KEY-----/;
const isEncrypted = (pem: string): boolean => pem.startsWith("-----BEGIN ENCRYPTED") || pem.includes("4,ENCRYPTED");

const createCertificateError = (sentence: string, cause?: unknown): HarnessError =>
  new HarnessError("bad-client-certificate", sentence, { cause });

/** The purpose of a file. */
interface Part {
  readonly label: string;
  readonly advice: string;
}

async function readPart(path: string, { label, advice }: Part): Promise<string> {
  const shownFile = `${label} ${visibleText(path, 200)}`;
  try {
    return await readSmallFile({
      path,
      maxBytes,
      reject: (clause) => createCertificateError(`${shownFile} ${clause}; ${advice}`),
    });
  } catch (cause) {
    throw isHarnessError(cause) ? cause : createCertificateError(`${shownFile} cannot be read; check its path`, cause);
  }
}

const certificatePart: Part = { label: "the client certificate", advice: "pass a PEM file that contains it" };
const keyPart: Part = { label: "the key of the client certificate", advice: "pass a PEM file that contains it" };
const passphrasePart: Part = { label: "the passphrase file", advice: "pass a file that contains only the passphrase" };

/** Advice for keys and certificates in other formats, which must be converted first. */
const asPem = "convert a PKCS #12 file (.p12, .pfx) with `openssl pkcs12 -in FILE -out client.pem`";

function parseCertificates(text: string, path: string): readonly X509Certificate[] {
  const shownFile = `the client certificate ${visibleText(path, 200)}`;
  const certificates = text.match(certificatePattern);
  if (certificates === null) {
    throw createCertificateError(`${shownFile} contains no PEM certificate;  ${asPem}`);
  }
  try {
    return certificates.map((pem) => new X509Certificate(pem));
  } catch (cause) {
    throw createCertificateError(
      `${shownFile} contains an invalid certificate; check that the file is complete`,
      cause,
    );
  }
}

/** A passphrase and its source. */
type Passphrase = Secret;

async function readPassphrase(env: Environment, sources: CertificateSources): Promise<Passphrase | undefined> {
  const { passphraseFile, passphraseVariable: variable = passphraseVariable } = sources;
  if (passphraseFile === undefined) {
    return firstSet(env, [variable]);
  }
  const text = await readPart(passphraseFile, passphrasePart);
  return { name: `${passphrasePart.label} ${visibleText(passphraseFile, 200)}`, value: text.replace(/\r?\n$/, "") };
}

/** Decrypts the key in PEM text. Errors have no cause, because it may quote the key. */
function openKey(pem: string, shown: string, passphrase: Passphrase | undefined): KeyObject {
  const isLocked = isEncrypted(pem);
  if (isLocked && passphrase === undefined) {
    throw createCertificateError(
      `${shown} is encrypted, but no passphrase is set; set ${passphraseVariable}, or pass --client-passphrase-file`,
    );
  }
  try {
    return createPrivateKey({ key: pem, ...(isLocked ? defined({ passphrase: passphrase?.value }) : {}) });
  } catch {
    throw createCertificateError(
      isLocked
        ? `${shown} is encrypted, and the passphrase from ${passphrase?.name} is wrong`
        : `${shown} cannot be read; check that the file is complete`,
    );
  }
}

/** Reports whether a secret can be redacted without changing what a target sent. */
const isSearchable = ({ value }: Secret): boolean => value.length >= minSecretLength && !isProtocolText(value);

/** Returns the key as one line of base64, the form in which it is passed to other processes. */
const exportKeyLine = (key: KeyObject): string => key.export({ type: "pkcs8", format: "der" }).toString("base64");

function assertMatch(certificate: X509Certificate, key: KeyObject, places: { certificate: string; key: string }): void {
  if (!certificate.checkPrivateKey(key)) {
    throw createCertificateError(
      places.certificate === places.key
        ? `the key and the client certificate in ${places.key} do not match; the client's own certificate must be the first in the file`
        : `the key in ${places.key} does not match the client certificate in ${places.certificate}; pass a matching pair`,
    );
  }
}

/**
 * Reads a client certificate and its key, which may be in one file. Returns undefined if no file is given. Decrypts an encrypted key with
 * the passphrase from the file, or else from the variable. Never quotes the key or passphrase. Throws `bad-client-certificate` for unusable
 * files, a missing or wrong passphrase, and a key that does not match the certificate.
 */
export async function readClientCertificate(
  sources: CertificateSources,
  env: Environment,
): Promise<ClientCertificate | undefined> {
  const { certificateFile } = sources;
  if (certificateFile === undefined) {
    if (sources.keyFile !== undefined) {
      throw createCertificateError("a key was given without its client certificate; pass --client-cert");
    }
    return undefined;
  }
  const { keyFile = certificateFile } = sources;
  const text = await readPart(certificateFile, certificatePart);
  const certificates = parseCertificates(text, certificateFile);
  const keyText = keyFile === certificateFile ? text : await readPart(keyFile, keyPart);
  const [pem] = keyPattern.exec(keyText) ?? [];
  const places = { certificate: visibleText(certificateFile, 200), key: visibleText(keyFile, 200) };
  if (pem === undefined) {
    throw createCertificateError(
      keyFile === certificateFile
        ? `the client certificate ${places.certificate} contains no key; pass its file with --client-key`
        : `${keyPart.label} ${places.key} contains no PEM key;  ${asPem}`,
    );
  }
  const passphrase = await readPassphrase(env, sources);
  const key = openKey(pem, `the key in ${places.key}`, passphrase);
  const [own] = certificates;
  if (own !== undefined) {
    assertMatch(own, key, places);
  }
  const keySecret = { name: `the key in ${places.key}`, value: exportKeyLine(key) };
  return {
    certificates: certificates.map(String).join(""),
    key: key.export({ type: "pkcs8", format: "pem" }).toString(),
    hasKeyFile: keyFile !== certificateFile,
    secrets: [keySecret, ...(passphrase === undefined ? [] : [passphrase])].filter((secret) => isSearchable(secret)),
  };
}
