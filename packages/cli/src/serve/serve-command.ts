import { defined } from "@assay/contract";
import { resolve } from "node:path";
import { finished } from "node:stream/promises";
import {
  createOutputMemory,
  faults,
  latencyNames,
  listFaults,
  parseFaultChoice,
  startServer,
} from "@assay/reference-server";
import type { RunningServer, ServerOptions } from "@assay/reference-server";
import { commandName } from "../called-as.ts";
import type { AddCommand, CommandContext } from "../command-context.ts";
import {
  type OptionsOf,
  addFlags,
  appended,
  choice,
  faultsCollected,
  someNumber,
  text,
  toggle,
  valued,
  wholeNumber,
  withDefault,
} from "../flag.ts";
import { vocabularies, vocabularyNames } from "./vocabularies.ts";
import { type SearchedRepositories, searchedRepositories } from "../searched-repositories.ts";
import { environmentFor } from "./environment-for.ts";

const flags = {
  port: withDefault(0, valued("<PORT>", wholeNumber({ min: 0, max: 65_535 }), "port to listen on, 0 for a free one")),
  host: withDefault("127.0.0.1", text("<ADDRESS>", "address to listen on")),
  repo: valued("<DIR>", appended, "git repository to search, repeatable (default: here, or a sample)"),
  fault: {
    ...valued("<ID[:NAME=VALUE]>", faultsCollected, "inject this fault, repeatable"),
    completions: faults.map(({ id }) => id),
  },
  seed: valued("<N>", wholeNumber({ min: 0, max: 2 ** 32 - 1 }), "seed of tokens, delays and chunks"),
  latency: withDefault("instant", choice("<NAME>", latencyNames, "simulated latency")),
  latencyFactor: withDefault(
    1,
    valued("<N>", someNumber({ min: 0.01, max: 100 }), "factor for every delay: 1.2 is 20 % slower"),
  ),
  access: choice("<MODE>", ["private", "public"], "private (needs a token) or public"),
  variations: toggle("use unspecified behaviour, selected by the seed"),
  sharing: withDefault(
    "on",
    choice("<SWITCH>", ["on", "off"], "whether other users may read a conversation with its read token"),
  ),
  database: text("<FILE>", "store conversations in this file to keep them across restarts"),
  vocabulary: withDefault(
    "both",
    choice("<NAME>", vocabularyNames, "names and values: as specified, as real instances send them, or both"),
  ),
  frozen: toggle("cache repeated searches; the repositories must not change"),
  json: toggle("print one line of JSON when ready"),
  untilInputEnds: {
    ...toggle("stop when standard input ends, to exit with the parent process"),
    isHidden: true,
  },
};

type ServeOptions = OptionsOf<typeof flags>;

const examples = `
Examples:
  assay serve                              search this checkout on a free port
  assay serve --port 7080 --repo ../a --repo ../b
  assay serve --fault no-done              inject a fault (\`assay list --faults\`)
  assay serve --fault drip:intervalMs=5    with a parameter of the fault, separated by commas
  assay serve --variations --seed 7        unusual behaviour that the specifications allow
  assay serve --json                       print one line of JSON when ready: url, token, tokens`;

/** Adds `assay serve`. */
export const serveCommand: AddCommand = (program, context, finish) => {
  addFlags(program.command("serve"), flags)
    .summary("Start the reference server, with or without faults.")
    .description("Start the reference server: a small real search and question service over git repositories.")
    .addHelpText("after", examples)
    .action(async (options: ServeOptions) => {
      finish(await serve(options, context));
    });
};

/** Converts flags to settings of the server. */
function serverOptions(
  options: ServeOptions,
  { folders }: SearchedRepositories,
  { cwd }: CommandContext,
): ServerOptions {
  const { port, host, seed, access, database, latency, latencyFactor } = options;
  return {
    port,
    host,
    repos: folders,
    latency,
    latencyFactor,
    vocabulary: vocabularies[options.vocabulary],
    ...(options.fault === undefined ? {} : { fault: options.fault.map((text) => parseFaultChoice(text)) }),
    sharing: options.sharing === "on",
    variations: options.variations ?? false,
    ...(options.frozen === undefined ? {} : { outputs: createOutputMemory() }),
    ...(database === undefined ? {} : { database: resolve(cwd, database) }),
    ...defined({ seed }),
    ...(access === "public" || access === "private" ? { access } : {}),
  };
}

async function serve(options: ServeOptions, context: CommandContext): Promise<number> {
  const searched = searchedRepositories(options.repo, context.cwd);
  if (searched.note !== undefined) {
    context.err(`note: ${searched.note}\n`);
  }
  try {
    return await serveFrom(searched, options, context);
  } finally {
    searched.close();
  }
}

async function serveFrom(
  searched: SearchedRepositories,
  options: ServeOptions,
  context: CommandContext,
): Promise<number> {
  const server = await startServer(serverOptions(options, searched, context));
  try {
    context.out(options.json === true ? jsonLine(server) : greeting(server, options, context));
    await Promise.race([aborted(context.signal), ...(options.untilInputEnds === true ? [inputEnded(context)] : [])]);
    return 0;
  } finally {
    await server.close();
  }
}

const jsonLine = (server: RunningServer): string => {
  const { url, token, tokens, access, sharing } = server;
  return `${JSON.stringify({ url, token, tokens, access, sharing, environment: environmentFor(server) })}\n`;
};

function greeting(server: RunningServer, { fault }: ServeOptions, { env }: CommandContext): string {
  const { url, repositories, access } = server;
  const ids = new Set(fault?.map((text) => text.replace(/:.*$/su, "")));
  const broken = listFaults().filter(({ id }) => ids.has(id));
  const variables = Object.entries(environmentFor(server)).map((pair) => `  export ${pair.join("=")}`);
  return [
    `assay reference server at ${url} (${access})`,
    `searches ${repositories.join(", ")}`,
    ...broken.map(({ description }) => `misbehaves: ${description}`),
    "",
    ...variables,
    `  ${commandName(env)} run`,
    `  curl -N -H "Authorization: token $SRC_ACCESS_TOKEN" "$SRC_ENDPOINT/.api/search/stream?q=test"`,
    `  curl -H "Authorization: token $SRC_ACCESS_TOKEN" -H 'X-Requested-With: curl 8' -d '{"question":"..."}' "$SRC_ENDPOINT/.api/deepsearch/v1"`,
    `  open $SRC_ENDPOINT/api-reference for the OpenAPI document`,
    "",
    "Ctrl-C stops it.",
    "",
  ].join("\n");
}

async function inputEnded({ stdin }: Pick<CommandContext, "stdin">): Promise<void> {
  stdin.resume();
  await finished(stdin, { writable: false }).catch(() => undefined);
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    // The listening server keeps the process alive, which a pending promise would not.
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
