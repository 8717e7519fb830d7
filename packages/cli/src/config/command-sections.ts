// oxlint-disable max-lines -- a table
// Written by config-schema.test.ts from the flags of the commands: `npx vitest run config-schema -u` writes it anew.

/** Flags of `assay run`. */
export interface RunSection {
  /** base address (default: SRC_ENDPOINT, else the embedded server) */
  readonly url?: string;
  /** who may search (default: found out) */
  readonly access?: "private" | "public";
  /** a query that finds something */
  readonly query?: string;
  /** how careful to be */
  readonly limits?: "local" | "staging" | "production";
  /** how many may be asked (default: as the limits say) */
  readonly questions?: number;
  /** rules, and which must be seen: smoke, gate, release */
  readonly profile?: string;
  /** only this rule, repeatable; ID* matches a beginning, @failed what failed last */
  readonly rule?: string | readonly string[];
  /** tell what changed since a stored run or a named baseline */
  readonly baseline?: string;
  /** folder of the run, new or empty (default: reports/runs/<run id>) */
  readonly out?: string;
  /** only rules about it, repeatable: stream, legacy, current */
  readonly interface?: string | readonly string[];
  /** without this rule, repeatable; * at the end stands for anything */
  readonly notRule?: string | readonly string[];
  /** what is plausible but not promised fails too */
  readonly strict?: boolean;
  /** what is known to fail, repeatable; `field` is included */
  readonly knownFailures?: string | readonly string[];
  /** stop sending once N rules have failed (without N: 1) */
  readonly bail?: number;
  /** repository of the embedded server, repeatable (default: here, or a sample) */
  readonly repo?: string | readonly string[];
  /** let the embedded server misbehave, repeatable */
  readonly fault?: string | readonly string[];
  /** for the whole run, judging included */
  readonly timeout?: number;
  /** wait until the target answers, at most so long */
  readonly waitFor?: number;
  /** how it prints: line, list (-v), quiet or agent (-q), json (--json) */
  readonly reporter?: "line" | "list" | "quiet" | "agent" | "json" | "people";
  /** the embedded server, whatever SRC_ENDPOINT says */
  readonly embedded?: boolean;
  /** only rules that this version of Assay had: none that is new */
  readonly rulesAsOf?: string;
  /** false: do not confirm passes with altered responses */
  readonly proof?: boolean;
  /** seed of the run */
  readonly seed?: number;
  /** what is spoken; 2 needs https */
  readonly http?: "1.1" | "2";
  /** searches on their way at the same time */
  readonly parallel?: number;
  /** log of the run as lines of JSON, - for standard output */
  readonly log?: string;
  /** only rules that have it, repeatable: access, schema, stated, ... */
  readonly tag?: string | readonly string[];
  /** without rules that have it, repeatable */
  readonly notTag?: string | readonly string[];
  /** whether read tokens work for others */
  readonly sharing?: "on" | "off";
  /** how long one question is polled for */
  readonly questionTimeout?: number;
  /** the document that judges (default: /api-reference) */
  readonly openapi?: string;
  /** client certificate for a target that asks for one, PEM */
  readonly clientCert?: string;
  /** its key, PEM (default: in the same file) */
  readonly clientKey?: string;
  /** its passphrase (else ASSAY_CLIENT_PASSPHRASE) */
  readonly clientPassphraseFile?: string;
  /** --reporter list: every rule and every request */
  readonly verbose?: boolean;
  /** --reporter quiet: a line for the result and each failure */
  readonly quiet?: boolean;
  /** --reporter json: verdicts.json */
  readonly json?: boolean;
}

/** Flags of `assay check`. */
export interface CheckSection {
  /** only this rule, repeatable; * at the end stands for anything */
  readonly rule?: string | readonly string[];
  /** what is plausible but not promised fails too */
  readonly strict?: boolean;
  /** false: do not confirm passes with altered responses */
  readonly proof?: boolean;
  /** what is known to fail, repeatable; `field` is included */
  readonly knownFailures?: string | readonly string[];
  /** how it prints: line, list (-v), quiet or agent (-q), json (--json) */
  readonly reporter?: "line" | "list" | "quiet" | "agent" | "json" | "people";
  /** --reporter list: also rules that had nothing to judge */
  readonly verbose?: boolean;
  /** --reporter quiet: a line for the result and each failure */
  readonly quiet?: boolean;
  /** --reporter json: an array of verdicts */
  readonly json?: boolean;
}

/** Flags of `assay client`. */
export interface ClientSection {
  /** only this trial, repeatable; it may not be left out */
  readonly trial?: string | readonly string[];
  /** only trials of stream, legacy or current, repeatable */
  readonly interface?: string | readonly string[];
  /** for one trial */
  readonly timeout?: number;
  /** how long a client is watched once its task is over */
  readonly linger?: number;
  /** trials at the same time */
  readonly parallel?: number;
  /** for the unusual forms of answers */
  readonly seed?: number;
  /** repository to search (default: a small one, made for it); with --query */
  readonly repo?: string;
  /** what to search for */
  readonly query?: string;
  /** what to ask */
  readonly question?: string;
  /** what is only likely fails too */
  readonly strict?: boolean;
  /** start no further trial once N checks have failed (without N: 1) */
  readonly bail?: number;
  /** show the trials */
  readonly list?: boolean;
  /** write client.json, records.json, junit.xml and summary.md there */
  readonly out?: string;
  /** how it prints: line, list (-v), quiet or agent (-q), json (--json) */
  readonly reporter?: "line" | "list" | "quiet" | "agent" | "json" | "people";
  /** --reporter list: every check of every trial */
  readonly verbose?: boolean;
  /** --reporter quiet: a line for the result and each failure */
  readonly quiet?: boolean;
  /** --reporter json: client.json */
  readonly json?: boolean;
}

/** Flags of `assay doctor`. */
export interface DoctorSection {
  /** base address (default: SRC_ENDPOINT, else the embedded server) */
  readonly url?: string;
  /** the embedded server, whatever SRC_ENDPOINT says */
  readonly embedded?: boolean;
  /** a query that takes a second or more (default: test count:200, then longer) */
  readonly query?: string;
  /** who may search (default: found out) */
  readonly access?: "private" | "public";
  /** whether read tokens work for others */
  readonly sharing?: "on" | "off";
  /** how careful to be (default: as run) */
  readonly limits?: "local" | "staging" | "production";
  /** for everything (default: 60, with --patient 300) */
  readonly timeout?: number;
  /** wait until the target answers, at most so long */
  readonly waitFor?: number;
  /** what is spoken; 2 needs https */
  readonly http?: "1.1" | "2";
  /** wait for a stream as long as time is left, not 20 seconds */
  readonly patient?: boolean;
  /** write what was seen there, new or empty, tokens replaced */
  readonly out?: string;
  /** repository of the embedded server, repeatable (default: here) */
  readonly repo?: string | readonly string[];
  /** let the embedded server misbehave, repeatable */
  readonly fault?: string | readonly string[];
  /** look at this installation: what it found, and why */
  readonly self?: boolean;
  /** how it prints: line, list (-v), quiet or agent (-q), json (--json) */
  readonly reporter?: "line" | "list" | "quiet" | "agent" | "json" | "people";
  /** --reporter list: also the checks that passed */
  readonly verbose?: boolean;
  /** --reporter quiet: a line for the result and each failure */
  readonly quiet?: boolean;
  /** --reporter json: doctor.json */
  readonly json?: boolean;
  /** client certificate for a target that asks for one, PEM */
  readonly clientCert?: string;
  /** its key, PEM (default: in the same file) */
  readonly clientKey?: string;
  /** its passphrase (else ASSAY_CLIENT_PASSPHRASE) */
  readonly clientPassphraseFile?: string;
}

/** Flags of `assay load`. */
export interface LoadSection {
  /** target (default: SRC_ENDPOINT, else embedded) */
  readonly url?: string;
  /** a second instance to compare with in blocks A B B A */
  readonly against?: string;
  /** how careful: local|staging|production */
  readonly limits?: "local" | "staging" | "production";
  /** may be loaded, repeatable */
  readonly confirmHost?: string | readonly string[];
  /** arrivals a second */
  readonly rate?: number;
  /** measured part, such as 15s or 2m */
  readonly duration?: string;
  /** absolute limit, repeatable: 'first-match p95 < 800' */
  readonly threshold?: string | readonly string[];
  /** an inconclusive comparison ends with 5 */
  readonly decide?: boolean;
  /** folder of the run (default: reports/runs/<run id>) */
  readonly out?: string;
  /** instead of the usual ones, repeatable */
  readonly query?: string | readonly string[];
  /** steady|ramp|spike|soak|breakpoint */
  readonly shape?: "steady" | "ramp" | "spike" | "soak" | "breakpoint";
  /** size of a comparison: quick|standard|thorough */
  readonly preset?: "quick" | "standard" | "thorough";
  /** how many may be asked */
  readonly questions?: number;
  /** wait until the target answers, at most so long */
  readonly waitFor?: number;
  /** what is known to fail, repeatable; `field` is included */
  readonly knownFailures?: string | readonly string[];
  /** how it prints: line, list (-v), quiet or agent (-q), json (--json) */
  readonly reporter?: "line" | "list" | "quiet" | "agent" | "json" | "people";
  /** slows the second embedded server: 1.5 is half slower */
  readonly againstFactor?: number;
  /** client certificate for a target that asks for one, PEM */
  readonly clientCert?: string;
  /** its key, PEM (default: in the same file) */
  readonly clientKey?: string;
  /** its passphrase (else ASSAY_CLIENT_PASSPHRASE) */
  readonly clientPassphraseFile?: string;
  /** of the embedded server: instant|laptop|staging|overloaded */
  readonly latency?: "instant" | "laptop" | "staging" | "overloaded";
  /** before it */
  readonly warmup?: string;
  /** of conversations: legacy|current */
  readonly interface?: "legacy" | "current";
  /** between polls */
  readonly pollInterval?: string;
  /** number of pollers that read a conversation in turn (default: 2) */
  readonly pollers?: number;
  /** most virtual users at work at a time (default: 500) */
  readonly maxVus?: number;
  /** order of queries */
  readonly seed?: number;
  /** one that only warns when it is missed */
  readonly warnThreshold?: string | readonly string[];
  /** one that ends the run once it cannot be kept */
  readonly abortThreshold?: string | readonly string[];
  /** false: no judges beside the load, no requests before and after it */
  readonly canary?: boolean;
  /** MiB of exchanges kept to be judged (default: 1024) */
  readonly keepMb?: number;
  /** for k6 --out, repeatable: opentelemetry, json=FILE */
  readonly k6Out?: string | readonly string[];
  /** k6's dashboard as HTML (default: dashboard.html) */
  readonly dashboard?: string | boolean;
  /** --reporter list: every condition of trust */
  readonly verbose?: boolean;
  /** --reporter quiet: a line for the result and each failure */
  readonly quiet?: boolean;
  /** --reporter json: load.json */
  readonly json?: boolean;
  /** log as lines of JSON, - for standard output */
  readonly log?: string;
}

/** Flags of `assay compare`. */
export interface CompareSection {
  /** which changes count: quick|standard|thorough */
  readonly preset?: "quick" | "standard" | "thorough";
  /** an inconclusive comparison ends with 5 */
  readonly decide?: boolean;
  /** print the comparison as JSON */
  readonly json?: boolean;
}

/** Flags of `assay judge`. */
export interface JudgeSection {
  /** where the results are written (default: the run's folder) */
  readonly out?: string;
  /** false: do not confirm passes with altered responses */
  readonly proof?: boolean;
  /** tell what changed since a stored run or a named baseline */
  readonly baseline?: string;
  /** how it prints: line, list (-v), quiet or agent (-q), json (--json) */
  readonly reporter?: "line" | "list" | "quiet" | "agent" | "json" | "people";
  /** --reporter list: every rule and every request */
  readonly verbose?: boolean;
  /** --reporter quiet: a line for the result and each failure */
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
  /** html, junit, ctrf, markdown, comment, json, code-quality, github; several with commas between */
  readonly format?: string | readonly string[];
  /** where to; the name of a file tells its format */
  readonly out?: string;
  /** also the text of a comment, at most 65,000 characters */
  readonly comment?: string;
  /** also the exchanges of one run as HAR, tokens replaced */
  readonly har?: string;
  /** by which the comment to replace is found (default: the target) */
  readonly commentId?: string;
  /** tell what changed since a stored run or a named baseline */
  readonly baseline?: string;
  /** of the page */
  readonly title?: string;
}

/** Flags of `assay list`. */
export interface ListSection {
  /** sentences of the documents instead of rules */
  readonly coverage?: boolean;
  /** with --coverage: run (or latest), whose verdicts are shown with each rule */
  readonly run?: string;
  /** the gap register instead of rules */
  readonly gaps?: boolean;
  /** faults of the reference server instead of rules */
  readonly faults?: boolean;
  /** profiles instead of rules */
  readonly profiles?: boolean;
  /** machine-readable output */
  readonly json?: boolean;
}

/** Flags of `assay serve`. */
export interface ServeSection {
  /** port to listen on, 0 for a free one */
  readonly port?: number;
  /** address to listen on */
  readonly host?: string;
  /** git repository to search, repeatable (default: here, or a sample) */
  readonly repo?: string | readonly string[];
  /** misbehave so, repeatable */
  readonly fault?: string | readonly string[];
  /** makes tokens, delays and chunks repeat */
  readonly seed?: number;
  /** how slow it pretends to be */
  readonly latency?: "instant" | "laptop" | "staging" | "overloaded";
  /** multiplies every delay: 1.2 is a fifth slower */
  readonly latencyFactor?: number;
  /** private (needs a token) or public */
  readonly access?: "private" | "public";
  /** use every freedom the document leaves, at random from the seed */
  readonly variations?: boolean;
  /** whether others may read a conversation by its read token */
  readonly sharing?: "on" | "off";
  /** keep conversations in a file; unfinished answers go on at the next start */
  readonly database?: string;
  /** names and values: of the document, of real instances, or both for any client */
  readonly vocabulary?: "document" | "field" | "both";
  /** the repositories do not change: equal searches are answered from memory */
  readonly frozen?: boolean;
  /** one line of JSON on standard output when ready */
  readonly json?: boolean;
  /** stop when standard input ends, so that it ends with its starter */
  readonly untilInputEnds?: boolean;
}

/** Flags of `assay cleanup`. */
export interface CleanupSection {
  /** where the target is now (default: where each run found it) */
  readonly url?: string;
  /** how careful to be (default: as run) */
  readonly limits?: "local" | "staging" | "production";
  /** client certificate for a target that asks for one, PEM */
  readonly clientCert?: string;
  /** its key, PEM (default: in the same file) */
  readonly clientKey?: string;
  /** its passphrase (else ASSAY_CLIENT_PASSPHRASE) */
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
