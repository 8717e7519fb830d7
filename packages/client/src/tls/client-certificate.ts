import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { HarnessError, defined, isHarnessError } from "@assay/contract";
import { minSecretLength, visibleText } from "@assay/evidence";
import type { Secret } from "@assay/evidence";
import { type Environment, findFirstSet } from "../credentials/environment.ts";
import { isProtocolText } from "../protocol-text.ts";
import { readSmallFile } from "../credentials/small-file.ts";

/** The identity of a client, for targets that request a certificate in the TLS handshake. */
export interface ClientCertificate {
  /** PEM: the client's certificate first, then intermediate ones. */
  readonly certificates: string;
  /** Decrypted PKCS #8 PEM. Never written anywhere. */
  readonly key: string;
  /** True if the key is in a separate file. */
  readonly hasKeyFile: boolean;
  /** Key and passphrase as secrets for the redactor. */
  readonly secrets: readonly Secret[];
}

/** Sources of a client certificate. */
export interface CertificateSources {
  /** PEM file of the certificate, which may also contain the key. */
  readonly certificateFile?: string | undefined;
  /** PEM file of the key. Default: the certificate file. */
  readonly keyFile?: string | undefined;
  /** File with the passphrase of the key. Takes precedence over the variable. */
  readonly passphraseFile?: string | undefined;
  /** Variable with the passphrase. Default: `ASSAY_CLIENT_PASSPHRASE`. */
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
interface FilePurpose {
  readonly label: string;
  readonly advice: string;
}

async function readPurposeFile(path: string, { label, advice }: FilePurpose): Promise<string> {
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

const certificatePurpose: FilePurpose = { label: "the client certificate", advice: "pass a PEM file that contains it" };
const keyPurpose: FilePurpose = {
  label: "the key of the client certificate",
  advice: "pass a PEM file that contains it",
};
const passphrasePurpose: FilePurpose = {
  label: "the passphrase file",
  advice: "pass a file that contains only the passphrase",
};

/** Advice for keys and certificates in other formats, which must be converted first. */
const conversionAdvice = "convert a PKCS #12 file (.p12, .pfx) with `openssl pkcs12 -in FILE -out client.pem`";

function parseCertificates(text: string, path: string): readonly X509Certificate[] {
  const shownFile = `the client certificate ${visibleText(path, 200)}`;
  const certificates = text.match(certificatePattern);
  if (certificates === null) {
    throw createCertificateError(`${shownFile} contains no PEM certificate; ${conversionAdvice}`);
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
    return findFirstSet(env, [variable]);
  }
  const text = await readPurposeFile(passphraseFile, passphrasePurpose);
  return { name: `${passphrasePurpose.label} ${visibleText(passphraseFile, 200)}`, value: text.replace(/\r?\n$/, "") };
}

/** Decrypts the key in PEM text. Errors have no cause, because it may quote the key. */
function decryptKey(pem: string, keyLabel: string, passphrase: Passphrase | undefined): KeyObject {
  const isKeyEncrypted = isEncrypted(pem);
  if (isKeyEncrypted && passphrase === undefined) {
    throw createCertificateError(
      `${keyLabel} is encrypted, but no passphrase is set; set ${passphraseVariable}, or pass --client-passphrase-file`,
    );
  }
  try {
    return createPrivateKey({ key: pem, ...(isKeyEncrypted ? defined({ passphrase: passphrase?.value }) : {}) });
  } catch {
    throw createCertificateError(
      isKeyEncrypted
        ? `${keyLabel} is encrypted, and the passphrase from ${passphrase?.name} is wrong`
        : `${keyLabel} cannot be read; check that the file is complete`,
    );
  }
}

/** Reports whether a secret can be redacted without changing what a target sent. */
const isRedactable = ({ value }: Secret): boolean => value.length >= minSecretLength && !isProtocolText(value);

/** Returns the key as one line of base64, the form in which it is passed to other processes. */
const exportKeyLine = (key: KeyObject): string => key.export({ type: "pkcs8", format: "der" }).toString("base64");

function assertKeyMatches(
  certificate: X509Certificate,
  key: KeyObject,
  fileLabels: { certificate: string; key: string },
): void {
  if (!certificate.checkPrivateKey(key)) {
    throw createCertificateError(
      fileLabels.certificate === fileLabels.key
        ? `the key and the client certificate in ${fileLabels.key} do not match; the client's own certificate must be the first in the file`
        : `the key in ${fileLabels.key} does not match the client certificate in ${fileLabels.certificate}; pass a matching pair`,
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
  const text = await readPurposeFile(certificateFile, certificatePurpose);
  const certificates = parseCertificates(text, certificateFile);
  const keyText = keyFile === certificateFile ? text : await readPurposeFile(keyFile, keyPurpose);
  const [pem] = keyPattern.exec(keyText) ?? [];
  const fileLabels = { certificate: visibleText(certificateFile, 200), key: visibleText(keyFile, 200) };
  if (pem === undefined) {
    throw createCertificateError(
      keyFile === certificateFile
        ? `the client certificate ${fileLabels.certificate} contains no key; pass its file with --client-key`
        : `${keyPurpose.label} ${fileLabels.key} contains no PEM key; ${conversionAdvice}`,
    );
  }
  const passphrase = await readPassphrase(env, sources);
  const key = decryptKey(pem, `the key in ${fileLabels.key}`, passphrase);
  const [ownCertificate] = certificates;
  if (ownCertificate !== undefined) {
    assertKeyMatches(ownCertificate, key, fileLabels);
  }
  const keySecret = { name: `the key in ${fileLabels.key}`, value: exportKeyLine(key) };
  return {
    certificates: certificates.map(String).join(""),
    key: key.export({ type: "pkcs8", format: "pem" }).toString(),
    hasKeyFile: keyFile !== certificateFile,
    secrets: [keySecret, ...(passphrase === undefined ? [] : [passphrase])].filter((secret) => isRedactable(secret)),
  };
}
