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

/** For which address, and where the certificate for it may be named. */
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
 * The client certificate for an address: of the flags, else of the target of the configuration file that has this address, whose
 * paths are relative to the folder of the file. Undefined where none is named. Fails with a `HarnessError` for one that cannot be used.
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
