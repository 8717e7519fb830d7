// oxlint-disable max-lines -- a table
// Generated from the flags of the commands by `npx vitest run config-schema --update`.

/** Flags of `assay run`. */
export interface RunSection {
  /** base URL (default: SRC_ENDPOINT, otherwise the embedded server) */
  readonly url?: string;
  /** whether a token is required (default: detected) */
  readonly access?: "private" | "public";
  /** a query with at least 20 results */
  readonly query?: string;
  /** request rate and question limits */
  readonly limits?: "local" | "staging" | "production";
  /** maximum number of questions (default: set by --limits) */
  readonly questions?: number;
  /** which rules are tested, and which are required: smoke, gate, release */
  readonly profile?: string;
  /** only this rule, repeatable; ID* matches a prefix, @failed selects the last failures */
  readonly rule?: string | readonly string[];
  /** show changes since a stored run or a named baseline */
  readonly baseline?: string;
  /** folder of the run, new or empty (default: reports/runs/<run id>) */
  readonly out?: string;
  /** test only rules of this interface, repeatable: stream, legacy, current */
  readonly interface?: string | readonly string[];
  /** skip this rule, repeatable; ID* matches a prefix */
  readonly notRule?: string | readonly string[];
  /** also fail on warnings */
  readonly strict?: boolean;
  /** list of known failures, repeatable; `field` is a built-in list */
  readonly knownFailures?: string | readonly string[];
  /** stop sending once N rules have failed (without N: 1) */
  readonly bail?: number;
  /** repository for the embedded server to search, repeatable (default: the current folder, or a sample) */
  readonly repo?: string | readonly string[];
  /** inject a fault, repeatable (see `assay list --faults`) */
  readonly fault?: string | readonly string[];
  /** time limit for the whole run, including judging, in seconds */
  readonly timeout?: number;
  /** maximum time to wait for the target, in seconds */
  readonly waitFor?: number;
  /** output: line, list (-v), quiet or agent (-q), json (--json); people is a deprecated alias of line */
  readonly reporter?: "line" | "list" | "quiet" | "agent" | "json" | "people";
  /** test the embedded server even if SRC_ENDPOINT is set */
  readonly embedded?: boolean;
  /** only rules that existed in this version of Assay */
  readonly rulesAsOf?: string;
  /** false: do not confirm passes with altered responses */
  readonly proof?: boolean;
  /** seed of the run */
  readonly seed?: number;
  /** HTTP version; 2 requires https */
  readonly http?: "1.1" | "2";
  /** concurrent searches */
  readonly parallel?: number;
  /** JSON Lines log of the run, - for standard output */
  readonly log?: string;
  /** only rules with this tag, repeatable: access, schema, stated, ... */
  readonly tag?: string | readonly string[];
  /** skip rules with this tag, repeatable */
  readonly notTag?: string | readonly string[];
  /** whether read tokens work for other users */
  readonly sharing?: "on" | "off";
  /** maximum time to poll one question, in seconds */
  readonly questionTimeout?: number;
  /** generated sequences of commands (default: 0) */
  readonly sequences?: number;
  /** length of the too long question */
  readonly longQuestionTokens?: number;
  /** OpenAPI document (default: the target's own) */
  readonly openapi?: string;
  /** client certificate in PEM, for a target that requests one */
  readonly clientCert?: string;
  /** key of the certificate in PEM (default: the certificate file) */
  readonly clientKey?: string;
  /** passphrase file of the key (default: ASSAY_CLIENT_PASSPHRASE) */
  readonly clientPassphraseFile?: string;
  /** --reporter list: every rule and every request */
  readonly verbose?: boolean;
  /** --reporter quiet: one line for the result and one per failure */
  readonly quiet?: boolean;
  /** --reporter json: verdicts.json */
  readonly json?: boolean;
}

/** Flags of `assay check`. */
export interface CheckSection {
  /** only this rule, repeatable; ID* matches a prefix */
  readonly rule?: string | readonly string[];
  /** also fail on warnings */
  readonly strict?: boolean;
  /** false: do not confirm passes with altered responses */
  readonly proof?: boolean;
  /** list of known failures, repeatable; `field` is a built-in list */
  readonly knownFailures?: string | readonly string[];
  /** output: line, list (-v), quiet or agent (-q), json (--json); people is a deprecated alias of line */
  readonly reporter?: "line" | "list" | "quiet" | "agent" | "json" | "people";
  /** --reporter list: also list rules that were not tested */
  readonly verbose?: boolean;
  /** --reporter quiet: one line for the result and one per failure */
  readonly quiet?: boolean;
  /** --reporter json: an array of verdicts */
  readonly json?: boolean;
}

/** Flags of `assay client`. */
export interface ClientSection {
  /** run only this trial, repeatable; fails if the client skips it */
  readonly trial?: string | readonly string[];
  /** only trials of stream, legacy or current, repeatable */
  readonly interface?: string | readonly string[];
  /** time limit for one trial, in seconds */
  readonly timeout?: number;
  /** how long to watch the client after it finishes its task, in seconds */
  readonly linger?: number;
  /** trials to run in parallel */
  readonly parallel?: number;
  /** seed for generating unusual responses */
  readonly seed?: number;
  /** repository to search; requires --query (default: a small generated one) */
  readonly repo?: string;
  /** query to search for */
  readonly query?: string;
  /** question to ask */
  readonly question?: string;
  /** also fail on warnings */
  readonly strict?: boolean;
  /** stop after N failed checks (without N: 1) */
  readonly bail?: number;
  /** list the trials */
  readonly list?: boolean;
  /** write client.json, records.json, junit.xml and summary.md to this folder */
  readonly out?: string;
  /** output: line, list (-v), quiet or agent (-q), json (--json); people is a deprecated alias of line */
  readonly reporter?: "line" | "list" | "quiet" | "agent" | "json" | "people";
  /** --reporter list: every check of every trial */
  readonly verbose?: boolean;
  /** --reporter quiet: one line for the result and one per failure */
  readonly quiet?: boolean;
  /** --reporter json: client.json */
  readonly json?: boolean;
}

/** Flags of `assay doctor`. */
export interface DoctorSection {
  /** base URL (default: SRC_ENDPOINT, otherwise the embedded server) */
  readonly url?: string;
  /** test the embedded server even if SRC_ENDPOINT is set */
  readonly embedded?: boolean;
  /** a query that takes at least one second (default: `test count:200`, then slower queries) */
  readonly query?: string;
  /** whether a token is required (default: detected) */
  readonly access?: "private" | "public";
  /** whether read tokens work for other users */
  readonly sharing?: "on" | "off";
  /** request rate and question limits (default: same as run) */
  readonly limits?: "local" | "staging" | "production";
  /** time limit for all checks, in seconds (default: 60, with --patient 300) */
  readonly timeout?: number;
  /** maximum time to wait for the target, in seconds */
  readonly waitFor?: number;
  /** HTTP version; 2 requires https */
  readonly http?: "1.1" | "2";
  /** let a stream run until --timeout instead of 20 seconds */
  readonly patient?: boolean;
  /** save the evidence to this new or empty folder */
  readonly out?: string;
  /** repository for the embedded server to search, repeatable (default: the current folder) */
  readonly repo?: string | readonly string[];
  /** inject a fault, repeatable (see `assay list --faults`) */
  readonly fault?: string | readonly string[];
  /** check this installation instead of a target */
  readonly self?: boolean;
  /** output: line, list (-v), quiet or agent (-q), json (--json); people is a deprecated alias of line */
  readonly reporter?: "line" | "list" | "quiet" | "agent" | "json" | "people";
  /** --reporter list: also the checks that passed */
  readonly verbose?: boolean;
  /** --reporter quiet: one line for the result and one per failure */
  readonly quiet?: boolean;
  /** --reporter json: doctor.json */
  readonly json?: boolean;
  /** client certificate in PEM, for a target that requests one */
  readonly clientCert?: string;
  /** key of the certificate in PEM (default: the certificate file) */
  readonly clientKey?: string;
  /** passphrase file of the key (default: ASSAY_CLIENT_PASSPHRASE) */
  readonly clientPassphraseFile?: string;
}

/** Flags of `assay load`. */
export interface LoadSection {
  /** target (default: SRC_ENDPOINT, otherwise embedded) */
  readonly url?: string;
  /** compare the target (the base) with this one (the head) */
  readonly against?: string;
  /** request rate and question limits: local|staging|production */
  readonly limits?: "local" | "staging" | "production";
  /** allow load on this host, repeatable */
  readonly confirmHost?: string | readonly string[];
  /** arrivals per second */
  readonly rate?: number;
  /** duration of the measured phase, such as 15s or 2m */
  readonly duration?: string;
  /** threshold that fails the run if not met, repeatable: 'first-match p95 < 800' */
  readonly threshold?: string | readonly string[];
  /** exit with 5 if the comparison is inconclusive */
  readonly decide?: boolean;
  /** folder of the run (default: reports/runs/<run id>) */
  readonly out?: string;
  /** query to use instead of the defaults, repeatable */
  readonly query?: string | readonly string[];
  /** steady|ramp|spike|soak|breakpoint */
  readonly shape?: "steady" | "ramp" | "spike" | "soak" | "breakpoint";
  /** sensitivity of the comparison: quick|standard|thorough */
  readonly preset?: "quick" | "standard" | "thorough";
  /** maximum number of questions */
  readonly questions?: number;
  /** maximum time to wait for the target, in seconds */
  readonly waitFor?: number;
  /** list of known failures, repeatable; `field` is a built-in list */
  readonly knownFailures?: string | readonly string[];
  /** output: line, list (-v), quiet or agent (-q), json (--json); people is a deprecated alias of line */
  readonly reporter?: "line" | "list" | "quiet" | "agent" | "json" | "people";
  /** slow the embedded head by this factor: 1.5 is 50% slower */
  readonly againstFactor?: number;
  /** client certificate in PEM, for a target that requests one */
  readonly clientCert?: string;
  /** key of the certificate in PEM (default: the certificate file) */
  readonly clientKey?: string;
  /** passphrase file of the key (default: ASSAY_CLIENT_PASSPHRASE) */
  readonly clientPassphraseFile?: string;
  /** latency of the embedded server: instant|laptop|staging|overloaded */
  readonly latency?: "instant" | "laptop" | "staging" | "overloaded";
  /** time before measuring starts */
  readonly warmup?: string;
  /** conversation interface: legacy|current */
  readonly interface?: "legacy" | "current";
  /** time between polls */
  readonly pollInterval?: string;
  /** number of clients that poll each conversation in turn (default: 2) */
  readonly pollers?: number;
  /** maximum concurrent virtual users (default: 500) */
  readonly maxVus?: number;
  /** seed for the order of queries */
  readonly seed?: number;
  /** threshold that only warns */
  readonly warnThreshold?: string | readonly string[];
  /** threshold that aborts the run if not met */
  readonly abortThreshold?: string | readonly string[];
  /** false: no contract checks before, during and after the load */
  readonly canary?: boolean;
  /** MiB of exchanges kept for contract checks (default: 1024) */
  readonly keepMb?: number;
  /** output passed to k6 --out, repeatable: opentelemetry, json=FILE */
  readonly k6Out?: string | readonly string[];
  /** k6's dashboard as HTML (default: dashboard.html) */
  readonly dashboard?: string | boolean;
  /** run k6 in this cluster of the kubeconfig, with the k6-operator */
  readonly kubernetes?: string;
  /** number of runners, which share the rate (default: 2) */
  readonly runners?: number;
  /** image of the runners */
  readonly image?: string;
  /** processor cores that each runner requests (default: 1) */
  readonly runnerCpu?: number;
  /** namespace (default: the one of the context) */
  readonly namespace?: string;
  /** storage that all nodes can write to (default: the one of the cluster) */
  readonly storageClass?: string;
  /** maximum time until all runners are ready (default: 5m) */
  readonly startTimeout?: string;
  /** print the objects without a cluster, and do nothing else */
  readonly dryRun?: boolean;
  /** --reporter list: every validity check */
  readonly verbose?: boolean;
  /** --reporter quiet: one line for the result and one per failure */
  readonly quiet?: boolean;
  /** --reporter json: load.json */
  readonly json?: boolean;
  /** JSON Lines log, - for standard output */
  readonly log?: string;
}

/** Flags of `assay compare`. */
export interface CompareSection {
  /** sensitivity of the comparison: quick|standard|thorough */
  readonly preset?: "quick" | "standard" | "thorough";
  /** exit with 5 if the comparison is inconclusive */
  readonly decide?: boolean;
  /** print the comparison as JSON */
  readonly json?: boolean;
}

/** Flags of `assay judge`. */
export interface JudgeSection {
  /** folder for the results (default: the run's folder) */
  readonly out?: string;
  /** false: do not confirm passes with altered responses */
  readonly proof?: boolean;
  /** show changes since a stored run or a named baseline */
  readonly baseline?: string;
  /** output: line, list (-v), quiet or agent (-q), json (--json); people is a deprecated alias of line */
  readonly reporter?: "line" | "list" | "quiet" | "agent" | "json" | "people";
  /** --reporter list: every rule and every request */
  readonly verbose?: boolean;
  /** --reporter quiet: one line for the result and one per failure */
  readonly quiet?: boolean;
  /** --reporter json: verdicts.json */
  readonly json?: boolean;
}

/** Flags of `assay explain`. */
export interface ExplainSection {
  /** print the explanation as JSON */
  readonly json?: boolean;
}

/** Flags of `assay report`. */
export interface ReportSection {
  /** html, junit, ctrf, markdown, comment, json, code-quality, github; comma-separated */
  readonly format?: string | readonly string[];
  /** output file or folder; the file extension selects the format */
  readonly out?: string;
  /** also write the comment text to this file, at most 65,000 characters */
  readonly comment?: string;
  /** also write the exchanges of one run as HAR, with tokens replaced */
  readonly har?: string;
  /** id of the comment to replace (default: the target) */
  readonly commentId?: string;
  /** show changes since a stored run or a named baseline */
  readonly baseline?: string;
  /** title of the page */
  readonly title?: string;
}

/** Flags of `assay list`. */
export interface ListSection {
  /** requirements instead of rules */
  readonly coverage?: boolean;
  /** with --coverage: add the verdicts of this run */
  readonly run?: string;
  /** unspecified behaviour instead of rules */
  readonly unspecified?: boolean;
  /** faults of the reference server instead of rules */
  readonly faults?: boolean;
  /** profiles instead of rules */
  readonly profiles?: boolean;
  /** former name of --unspecified */
  readonly gaps?: boolean;
  /** machine-readable output */
  readonly json?: boolean;
}

/** Flags of `assay serve`. */
export interface ServeSection {
  /** port to listen on; 0 picks a free port */
  readonly port?: number;
  /** address to listen on */
  readonly host?: string;
  /** git repository to search, repeatable (default: the current folder, or a sample) */
  readonly repo?: string | readonly string[];
  /** inject this fault, repeatable */
  readonly fault?: string | readonly string[];
  /** seed of tokens, delays and chunks */
  readonly seed?: number;
  /** simulated latency */
  readonly latency?: "instant" | "laptop" | "staging" | "overloaded";
  /** factor for every delay: 1.2 is 20% slower */
  readonly latencyFactor?: number;
  /** private (needs a token) or public */
  readonly access?: "private" | "public";
  /** vary unspecified behaviour according to the seed */
  readonly variations?: boolean;
  /** whether other users may read a conversation with its read token */
  readonly sharing?: "on" | "off";
  /** store conversations in this file to keep them across restarts */
  readonly database?: string;
  /** vocabulary of responses: document (as specified), field (as sent by real instances) or both */
  readonly vocabulary?: "document" | "field" | "both";
  /** cache repeated searches; the repositories must not change */
  readonly frozen?: boolean;
  /** print one line of JSON when ready */
  readonly json?: boolean;
  /** stop when standard input closes, to exit with the parent process */
  readonly untilInputEnds?: boolean;
}

/** Flags of `assay cleanup`. */
export interface CleanupSection {
  /** target URL, if it changed since the run (default: the URL in each run) */
  readonly url?: string;
  /** request rate and question limits (default: same as run) */
  readonly limits?: "local" | "staging" | "production";
  /** client certificate in PEM, for a target that requests one */
  readonly clientCert?: string;
  /** key of the certificate in PEM (default: the certificate file) */
  readonly clientKey?: string;
  /** passphrase file of the key (default: ASSAY_CLIENT_PASSPHRASE) */
  readonly clientPassphraseFile?: string;
}

/** A section for each command that has flags. */
export interface CommandSections {
  readonly run?: RunSection;
  readonly check?: CheckSection;
  readonly client?: ClientSection;
  readonly doctor?: DoctorSection;
  readonly load?: LoadSection;
  readonly compare?: CompareSection;
  readonly judge?: JudgeSection;
  readonly explain?: ExplainSection;
  readonly report?: ReportSection;
  readonly list?: ListSection;
  readonly serve?: ServeSection;
  readonly cleanup?: CleanupSection;
}
