import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { HarnessError, defined, isHarnessError } from "@assay/contract";
import { minSecretLength, visibleText } from "@assay/evidence";
import type { Secret } from "@assay/evidence";
import { type Environment, firstSet } from "../credentials/environment.ts";
import { isProtocolText } from "../protocol-text.ts";
import { readSmallFile } from "../credentials/small-file.ts";

/** Who a client is to a target that asks for a certificate in the handshake of TLS. */
export interface ClientCertificate {
  /** PEM: the client's own first, then those in between. */
  readonly certificates: string;
  /** PEM of PKCS #8, opened: it is never written anywhere. */
  readonly key: string;
  /** Whether its key stands in a file of its own. */
  readonly hasKeyFile: boolean;
  /** Key and passphrase as secrets for the redactor. */
  readonly secrets: readonly Secret[];
}

/** Where a client certificate is. */
export interface CertificateSources {
  /** PEM file of the certificate, which may hold its key as well. */
  readonly certificateFile?: string | undefined;
  /** PEM file of the key [that of the certificate]. */
  readonly keyFile?: string | undefined;
  /** File with the passphrase of the key, before any variable. */
  readonly passphraseFile?: string | undefined;
  /** Variable with the passphrase [`ASSAY_CLIENT_PASSPHRASE`]. */
  readonly passphraseVariable?: string | undefined;
}

/** The variable that holds the passphrase of a key, where no other one is named. */
export const passphraseVariable = "ASSAY_CLIENT_PASSPHRASE";

const maxBytes = 1024 * 1024;

const certificatePattern =
  /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[^-]+-----END (?:TRUSTED |X509 )?CERTIFICATE-----/g;
// The lines of an encrypted key in the older form may hold hyphens.
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

/** Other forms in which keys and certificates are handed out have to be written in this one first. */
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

/** A passphrase and where it came from. */
type Passphrase = Secret;

async function passphraseFrom(env: Environment, sources: CertificateSources): Promise<Passphrase | undefined> {
  const { passphraseFile, passphraseVariable: variable = passphraseVariable } = sources;
  if (passphraseFile === undefined) {
    return firstSet(env, [variable]);
  }
  const text = await textOf(passphraseFile, passphrasePart);
  return { name: `${passphrasePart.what} ${visibleText(passphraseFile, 200)}`, value: text.replace(/\r?\n$/, "") };
}

/** The key in a PEM text, opened. The cause is left out of errors: it may quote what was read. */
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

/** A secret that can be searched for without changing what a target says. */
const isSearchable = ({ value }: Secret): boolean => value.length >= minSecretLength && !isProtocolText(value);

/** The key as one line of base64, as it goes to other processes. */
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
 * Reads the certificate of a client and its key, which may be in one file; undefined where none is named. A key that is encrypted
 * is opened with the passphrase of the file, else of the variable. Nothing of a key or passphrase is ever quoted. Fails with
 * `bad-client-certificate` for files that cannot be used, a passphrase that is missing or wrong, and a key of another certificate.
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
