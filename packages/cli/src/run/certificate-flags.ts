import { dirname, resolve } from "node:path";
import { type ClientCertificate, passphraseVariable, readClientCertificate } from "@assay/client";
import type { CommandContext } from "../command-context.ts";
import type { TargetConfig } from "../config/assay-config.ts";
import { type TargetOptions, targetAt } from "../config/file-targets.ts";
import { type OptionsOf, advanced, text } from "../flag.ts";
import { refuseMistyped } from "../nearest-file.ts";

/** Flags about the certificate that a target may ask for. */
export const certificateFlags = advanced({
  clientCert: text("<FILE>", "client certificate for a target that asks for one, PEM"),
  clientKey: text("<FILE>", "its key, PEM (default: in the same file)"),
  clientPassphraseFile: text("<FILE>", `its passphrase (else ${passphraseVariable})`),
});

export type CertificateOptions = OptionsOf<typeof certificateFlags>;

/** An address, and the sources that may name a certificate for it. */
interface Asking {
  readonly url: string;
  readonly options: CertificateOptions & TargetOptions;
  readonly context: Pick<CommandContext, "env" | "cwd">;
}

const placeIn = (folder: string, file: string | undefined): string | undefined =>
  file === undefined ? undefined : resolve(folder, file);

const isNamed = ({ clientCert, clientKey }: CertificateOptions): boolean =>
  clientCert !== undefined || clientKey !== undefined;

/**
 * The client certificate for an address: from the flags, else from the target of the configuration file that has this address. Paths
 * of the file are relative to its folder. Undefined if none is named. Fails with a `HarnessError` if the certificate is unusable.
 */
export async function certificateFor({ url, options, context }: Asking): Promise<ClientCertificate | undefined> {
  const target: Partial<TargetConfig> = targetAt(url, options.fileTargets)?.target ?? {};
  const isGiven = isNamed(options);
  const { clientCert, clientKey, clientPassphraseFile } = isGiven ? options : target;
  const { fileTargets } = options;
  const folder = isGiven || fileTargets === undefined ? context.cwd : dirname(fileTargets.file.path);
  for (const file of [clientCert, clientKey, clientPassphraseFile].filter((name) => name !== undefined)) {
    refuseMistyped(isGiven ? file : resolve(folder, file), context.cwd);
  }
  return readClientCertificate(
    {
      certificateFile: placeIn(folder, clientCert),
      keyFile: placeIn(folder, clientKey),
      passphraseFile: placeIn(folder, clientPassphraseFile),
      passphraseVariable: target.clientPassphraseVariable,
    },
    context.env,
  );
}
