import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { HarnessError, defined, isHarnessError } from "@assay/contract";
import { minSecretLength, visibleText } from "@assay/evidence";
import type { Secret } from "@assay/evidence";
import { type Environment, firstSet } from "../credentials/environment.ts";
import { isProtocolText } from "../protocol-text.ts";
import { readSmallFile } from "../credentials/small-file.ts";

/** Identity of a client for targets that ask for a certificate in the TLS handshake. */
export interface ClientCertificate {
  /** PEM: the client's certificate first, then intermediate ones. */
  readonly certificates: string;
  /** Decrypted PKCS #8 PEM. Never written anywhere. */
  readonly key: string;
  /** The key is in a separate file. */
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

const refused = (sentence: string, cause?: unknown): HarnessError =>
  new HarnessError("bad-client-certificate", sentence, { cause });

/** What a file is read for. */
interface Part {
  readonly what: string;
  readonly todo: string;
}

async function textOf(path: string, { what, todo }: Part): Promise<string> {
  const shown = `${what} ${visibleText(path, 200)}`;
  try {
    return await readSmallFile({ path, maxBytes, refuse: (clause) => refused(`${shown} ${clause}; ${todo}`) });
  } catch (cause) {
    throw isHarnessError(cause) ? cause : refused(`${shown} cannot be read; check its path`, cause);
  }
}

const certificatePart: Part = { what: "the client certificate", todo: "name a PEM file that holds it" };
const keyPart: Part = { what: "the key of the client certificate", todo: "name a PEM file that holds it" };
const passphrasePart: Part = { what: "the passphrase file", todo: "name a file that holds nothing but the passphrase" };

/** Keys and certificates in other formats must be converted first. */
const asPem = "a PKCS #12 file (.p12, .pfx) is written as one by `openssl pkcs12 -in FILE -out client.pem`";

function certificatesIn(text: string, path: string): readonly X509Certificate[] {
  const shown = `the client certificate ${visibleText(path, 200)}`;
  const found = text.match(certificatePattern);
  if (found === null) {
    throw refused(`${shown} holds no certificate in PEM; ${asPem}`);
  }
  try {
    return found.map((pem) => new X509Certificate(pem));
  } catch (cause) {
    throw refused(`${shown} holds a certificate that cannot be read; check that the file is whole`, cause);
  }
}

/** A passphrase and its source. */
type Passphrase = Secret;

async function passphraseFrom(env: Environment, sources: CertificateSources): Promise<Passphrase | undefined> {
  const { passphraseFile, passphraseVariable: variable = passphraseVariable } = sources;
  if (passphraseFile === undefined) {
    return firstSet(env, [variable]);
  }
  const text = await textOf(passphraseFile, passphrasePart);
  return { name: `${passphrasePart.what} ${visibleText(passphraseFile, 200)}`, value: text.replace(/\r?\n$/, "") };
}

/** Decrypts the key in a PEM text. Errors have no cause, because it may quote the key. */
function openKey(pem: string, shown: string, passphrase: Passphrase | undefined): KeyObject {
  const isLocked = isEncrypted(pem);
  if (isLocked && passphrase === undefined) {
    throw refused(
      `${shown} is encrypted, and no passphrase was given; give it by ${passphraseVariable}, or in a file by --client-passphrase-file`,
    );
  }
  try {
    return createPrivateKey({ key: pem, ...(isLocked ? defined({ passphrase: passphrase?.value }) : {}) });
  } catch {
    throw refused(
      isLocked
        ? `${shown} is encrypted, and the passphrase from ${passphrase?.name} does not open it`
        : `${shown} cannot be read; check that the file is whole`,
    );
  }
}

/** True for a secret that can be redacted without changing what a target sent. */
const isSearchable = ({ value }: Secret): boolean => value.length >= minSecretLength && !isProtocolText(value);

/** The key as one line of base64, as passed to other processes. */
const lineOf = (key: KeyObject): string => key.export({ type: "pkcs8", format: "der" }).toString("base64");

function fitting(certificate: X509Certificate, key: KeyObject, places: { certificate: string; key: string }): void {
  if (!certificate.checkPrivateKey(key)) {
    throw refused(
      places.certificate === places.key
        ? `the key and the client certificate in ${places.key} do not belong together; the certificate of the client itself has to be the first one there`
        : `the key in ${places.key} is not that of the client certificate in ${places.certificate}; name the two that belong together`,
    );
  }
}

/**
 * Reads a client certificate and its key, which may be in one file. Undefined if no file is named. An encrypted key is
 * opened with the passphrase from the file, else from the variable. Never quotes the key or passphrase. Throws
 * `bad-client-certificate` for unusable files, a missing or wrong passphrase, and a key that does not match the certificate.
 */
export async function readClientCertificate(
  sources: CertificateSources,
  env: Environment,
): Promise<ClientCertificate | undefined> {
  const { certificateFile } = sources;
  if (certificateFile === undefined) {
    if (sources.keyFile !== undefined) {
      throw refused("a key was named, and no client certificate that it belongs to; name it by --client-cert");
    }
    return undefined;
  }
  const { keyFile = certificateFile } = sources;
  const text = await textOf(certificateFile, certificatePart);
  const certificates = certificatesIn(text, certificateFile);
  const keyText = keyFile === certificateFile ? text : await textOf(keyFile, keyPart);
  const [pem] = keyPattern.exec(keyText) ?? [];
  const places = { certificate: visibleText(certificateFile, 200), key: visibleText(keyFile, 200) };
  if (pem === undefined) {
    throw refused(
      keyFile === certificateFile
        ? `the client certificate ${places.certificate} holds no key; name its file by --client-key`
        : `${keyPart.what} ${places.key} holds no key in PEM; ${asPem}`,
    );
  }
  const passphrase = await passphraseFrom(env, sources);
  const key = openKey(pem, `the key in ${places.key}`, passphrase);
  const [own] = certificates;
  if (own !== undefined) {
    fitting(own, key, places);
  }
  const keySecret = { name: `the key in ${places.key}`, value: lineOf(key) };
  return {
    certificates: certificates.map(String).join(""),
    key: key.export({ type: "pkcs8", format: "pem" }).toString(),
    hasKeyFile: keyFile !== certificateFile,
    secrets: [keySecret, ...(passphrase === undefined ? [] : [passphrase])].filter((secret) => isSearchable(secret)),
  };
}
