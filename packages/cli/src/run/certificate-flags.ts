import { dirname, resolve } from "node:path";
import { type ClientCertificate, passphraseVariable, readClientCertificate } from "@assay/client";
import type { CommandContext } from "../command-context.ts";
import type { TargetConfig } from "../config/assay-config.ts";
import { type TargetOptions, findTargetByUrl } from "../config/file-targets.ts";
import { type OptionsOf, advancedFlags, textFlag } from "../flag.ts";
import { rejectMistypedPath } from "../nearest-file.ts";

/** Flags for the client certificate that a target may request. */
export const certificateFlags = advancedFlags({
  clientCert: textFlag("<FILE>", "client certificate in PEM, for a target that requests one"),
  clientKey: textFlag("<FILE>", "key of the certificate in PEM (default: the certificate file)"),
  clientPassphraseFile: textFlag("<FILE>", `passphrase file of the key (default: ${passphraseVariable})`),
});

export type CertificateOptions = OptionsOf<typeof certificateFlags>;

/** A URL, and the sources that may specify a certificate for it. */
interface CertificateRequest {
  readonly url: string;
  readonly options: CertificateOptions & TargetOptions;
  readonly context: Pick<CommandContext, "env" | "cwd">;
}

const resolveOptional = (folder: string, file: string | undefined): string | undefined =>
  file === undefined ? undefined : resolve(folder, file);

const setsCertificate = ({ clientCert, clientKey }: CertificateOptions): boolean =>
  clientCert !== undefined || clientKey !== undefined;

/**
 * Returns the client certificate for a URL: from the flags, otherwise from the target of the configuration file with
 * this URL. Paths in the file are relative to its folder. Returns undefined if there is none. Throws a `HarnessError`
 * if the certificate is unusable.
 */
export async function readTargetCertificate({
  url,
  options,
  context,
}: CertificateRequest): Promise<ClientCertificate | undefined> {
  const target: Partial<TargetConfig> = findTargetByUrl(url, options.fileTargets)?.target ?? {};
  const isSetByFlag = setsCertificate(options);
  const { clientCert, clientKey, clientPassphraseFile } = isSetByFlag ? options : target;
  const { fileTargets } = options;
  const folder = isSetByFlag || fileTargets === undefined ? context.cwd : dirname(fileTargets.file.path);
  for (const file of [clientCert, clientKey, clientPassphraseFile].filter((name) => name !== undefined)) {
    rejectMistypedPath(isSetByFlag ? file : resolve(folder, file), context.cwd);
  }
  return readClientCertificate(
    {
      certificateFile: resolveOptional(folder, clientCert),
      keyFile: resolveOptional(folder, clientKey),
      passphraseFile: resolveOptional(folder, clientPassphraseFile),
      passphraseVariable: target.clientPassphraseVariable,
    },
    context.env,
  );
}
