import type { CommandSections } from "./command-sections.ts";

/**
 * One instance to test, and what is known of it. The file never holds a token: it names the variable, the file or the command
 * that gives one.
 */
export interface TargetConfig {
  /** Base address, http or https, without user name and password. */
  readonly url: string;
  /** Whether it answers without a token. */
  readonly access?: "private" | "public";
  /** Whether read tokens work for others. */
  readonly sharing?: "on" | "off";
  /** How careful to be: what may be asked, and how fast. */
  readonly limits?: "local" | "staging" | "production";
  /** How many questions may be asked in one run. */
  readonly questions?: number;
  /** Seconds that one question is polled for. */
  readonly questionTimeout?: number;
  /** A query that finds something there. */
  readonly query?: string;
  /** Queries of a load run [the query, else the usual ones]. */
  readonly queries?: readonly string[];
  /** Files of known failures, and lists that come along. Paths are relative to the folder of this file. */
  readonly knownFailures?: string | readonly string[];
  /** File or address of the OpenAPI document that judges. */
  readonly openapi?: string;
  /** Hosts that may be loaded, as `--confirm-host` names them. */
  readonly confirmHost?: string | readonly string[];
  /** Name of the variable that holds the access token. A target that says where its token is gets no other one. */
  readonly tokenVariable?: string;
  /** File that holds the access token. */
  readonly tokenFile?: string;
  /** Shell command that prints the access token. */
  readonly tokenCommand?: string;
  /** Names of the variables that hold further credentials. */
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
  /** Client certificate that it asks for, PEM, which may hold its key as well. Paths are relative to the folder of this file. */
  readonly clientCert?: string;
  /** Key of the client certificate, PEM. */
  readonly clientKey?: string;
  /** File with the passphrase of the key. */
  readonly clientPassphraseFile?: string;
  /** Name of the variable that holds the passphrase of the key [`ASSAY_CLIENT_PASSPHRASE`]. */
  readonly clientPassphraseVariable?: string;
  /** What is spoken with it [1.1]. */
  readonly http?: "1.1" | "2";
  /** Headers of every request to it, each by the name of the variable that holds its value. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * What a file `assay.config.ts`, `.js`, `.mjs` or `.json` may hold. A flag wins over its variable, a variable over this file,
 * and a target over the section of the command.
 */
export interface AssayConfig extends CommandSections {
  /** Where a JSON file says what it is; ignored. */
  readonly $schema?: string;
  /** The target of commands that name none. */
  readonly defaultTarget?: string;
  readonly targets?: Readonly<Record<string, TargetConfig>>;
}
