import type { CommandSections } from "./command-sections.ts";

/**
 * An instance to test. The file never contains a token: it names the variable, the file or the command that has it.
 */
export interface TargetConfig {
  /** Base address, http or https, without user name and password. */
  readonly url: string;
  /** Whether it answers without a token. */
  readonly access?: "private" | "public";
  /** Whether read tokens work for others. */
  readonly sharing?: "on" | "off";
  /** How careful to be: number of questions and pace. */
  readonly limits?: "local" | "staging" | "production";
  /** Maximum number of questions in one run. */
  readonly questions?: number;
  /** Maximum time to poll one question, in seconds. */
  readonly questionTimeout?: number;
  /** A query with matches on this instance. */
  readonly query?: string;
  /** Queries of a load run [the query, else the default ones]. */
  readonly queries?: readonly string[];
  /** Files of known failures, and shipped lists. Paths are relative to the folder of this file. */
  readonly knownFailures?: string | readonly string[];
  /** File or address of the OpenAPI document to judge by. */
  readonly openapi?: string;
  /** Hosts that may be loaded, as `--confirm-host` names them. */
  readonly confirmHost?: string | readonly string[];
  /** Name of the variable with the access token. A target that names its token source gets no other token. */
  readonly tokenVariable?: string;
  /** File with the access token. */
  readonly tokenFile?: string;
  /** Shell command that prints the access token. */
  readonly tokenCommand?: string;
  /** Names of the variables with further credentials. */
  readonly tokens?: {
    readonly oauth?: string;
    readonly other?: string;
    readonly read?: string;
    readonly write?: string;
    readonly unscoped?: string;
    readonly unscopedOauth?: string;
    readonly quota?: string;
    readonly entitlement?: string;
  };
  /** Client certificate, PEM, which may contain its key as well. Paths are relative to the folder of this file. */
  readonly clientCert?: string;
  /** Key of the client certificate, PEM. */
  readonly clientKey?: string;
  /** File with the passphrase of the key. */
  readonly clientPassphraseFile?: string;
  /** Name of the variable with the passphrase of the key [`ASSAY_CLIENT_PASSPHRASE`]. */
  readonly clientPassphraseVariable?: string;
  /** HTTP version [1.1]. */
  readonly http?: "1.1" | "2";
  /** Headers of every request, each with the name of the variable that has its value. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Content of `assay.config.ts`, `.js`, `.mjs` or `.json`. A flag wins over its variable, a variable over this file, and a target over
 * the section of the command.
 */
export interface AssayConfig extends CommandSections {
  /** Schema of a JSON file; ignored. */
  readonly $schema?: string;
  /** The target of commands without `--target`. */
  readonly defaultTarget?: string;
  readonly targets?: Readonly<Record<string, TargetConfig>>;
}
