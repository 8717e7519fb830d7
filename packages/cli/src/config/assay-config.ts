import type { CommandSections } from "./command-sections.ts";

/**
 * An instance to test. The file never contains a token, only where to find it: the name of a variable or file, or a command
 * that prints it.
 */
export interface TargetConfig {
  /** Base URL (http or https), without credentials. */
  readonly url: string;
  /** Whether the instance allows requests without a token. */
  readonly access?: "private" | "public";
  /** Whether read tokens work for other users. */
  readonly sharing?: "on" | "off";
  /** Preset for the request rate and the number of questions. */
  readonly limits?: "local" | "staging" | "production";
  /** Maximum number of questions in one run. */
  readonly questions?: number;
  /** Maximum time to poll one question, in seconds. */
  readonly questionTimeout?: number;
  /** A query with matches on this instance. */
  readonly query?: string;
  /** Queries of a load run. Default: `query` if set, otherwise the built-in queries. */
  readonly queries?: readonly string[];
  /** Known-failure files, or names of shipped lists. Paths are relative to the folder of this file. */
  readonly knownFailures?: string | readonly string[];
  /** File or URL of the OpenAPI document to validate against. */
  readonly openapi?: string;
  /** Hosts allowed as load targets; same as `--confirm-host`. */
  readonly confirmHost?: string | readonly string[];
  /** Environment variable that contains the access token. If a target sets a token source, no other token is sent to it. */
  readonly tokenVariable?: string;
  /** File that contains the access token. */
  readonly tokenFile?: string;
  /** Shell command that prints the access token. */
  readonly tokenCommand?: string;
  /** Names of environment variables that contain further credentials. Each adds checks. */
  readonly tokens?: {
    /** OAuth token that may search. */
    readonly oauth?: string;
    /** Access token of another user. */
    readonly other?: string;
    /** Token that may only read conversations. */
    readonly read?: string;
    /** Token that may only write conversations. */
    readonly write?: string;
    /** Access token without scopes. */
    readonly unscoped?: string;
    /** OAuth token without scopes. */
    readonly unscopedOauth?: string;
    /** Access token of a user whose quota is exhausted. */
    readonly quota?: string;
    /** Access token of a user whose entitlement is exhausted. */
    readonly entitlement?: string;
  };
  /** Client certificate in PEM, optionally with its key. Paths are relative to the folder of this file. */
  readonly clientCert?: string;
  /** Key of the client certificate in PEM. */
  readonly clientKey?: string;
  /** File that contains the passphrase of the key. */
  readonly clientPassphraseFile?: string;
  /** Environment variable that contains the passphrase of the key. Default: `ASSAY_CLIENT_PASSPHRASE`. */
  readonly clientPassphraseVariable?: string;
  /** HTTP version of `run` and `doctor`; 2 requires https. Default: 1.1. */
  readonly http?: "1.1" | "2";
  /** Headers added to every request, each mapped to the environment variable that contains its value. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Content of `assay.config.ts`, `.js`, `.mjs` or `.json`. Precedence: flag, environment variable, target, section of the command. */
export interface AssayConfig extends CommandSections {
  /** JSON Schema for editors. Assay ignores it. */
  readonly $schema?: string;
  /** Target used if `--target` is not set. */
  readonly defaultTarget?: string;
  readonly targets?: Readonly<Record<string, TargetConfig>>;
}
