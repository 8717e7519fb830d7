import { defined } from "@assay/contract";
import { resolve } from "node:path";
import { finished } from "node:stream/promises";
import {
  createOutputCache,
  faults,
  latencyNames,
  listFaults,
  parseFaultChoice,
  startServer,
} from "@assay/reference-server";
import type { RunningServer, ServerOptions } from "@assay/reference-server";
import { getCommandName } from "../command-name.ts";
import type { AddCommand, CommandContext } from "../command-context.ts";
import {
  type OptionsOf,
  addFlags,
  repeatedText,
  choiceFlag,
  faultList,
  decimalNumber,
  textFlag,
  switchFlag,
  valueFlag,
  wholeNumber,
  withDefault,
} from "../flag.ts";
import { vocabularies, vocabularyNames } from "./vocabularies.ts";
import { type SearchedRepositories, openSearchedRepositories } from "../searched-repositories.ts";
import { createServerEnvironment } from "./server-environment.ts";

const flags = {
  port: withDefault(
    0,
    valueFlag("<PORT>", wholeNumber({ min: 0, max: 65_535 }), "port to listen on; 0 picks a free port"),
  ),
  host: withDefault("127.0.0.1", textFlag("<ADDRESS>", "address to listen on")),
  repo: valueFlag(
    "<DIR>",
    repeatedText,
    "git repository to search, repeatable (default: the current folder, or a sample)",
  ),
  fault: {
    ...valueFlag("<ID[:NAME=VALUE]>", faultList, "inject this fault, repeatable"),
    completions: faults.map(({ id }) => id),
  },
  seed: valueFlag("<N>", wholeNumber({ min: 0, max: 2 ** 32 - 1 }), "seed of tokens, delays and chunks"),
  latency: withDefault("instant", choiceFlag("<NAME>", latencyNames, "simulated latency")),
  latencyFactor: withDefault(
    1,
    valueFlag("<N>", decimalNumber({ min: 0.01, max: 100 }), "factor for every delay: 1.2 is 20% slower"),
  ),
  access: choiceFlag("<MODE>", ["private", "public"], "private (needs a token) or public"),
  variations: switchFlag("vary unspecified behaviour according to the seed"),
  sharing: withDefault(
    "on",
    choiceFlag("<SWITCH>", ["on", "off"], "whether other users may read a conversation with its read token"),
  ),
  database: textFlag("<FILE>", "store conversations in this file to keep them across restarts"),
  vocabulary: withDefault(
    "both",
    choiceFlag(
      "<NAME>",
      vocabularyNames,
      "vocabulary of responses: document (as specified), field (as sent by real instances) or both",
    ),
  ),
  frozen: switchFlag("cache repeated searches; the repositories must not change"),
  json: switchFlag("print one line of JSON when ready"),
  untilInputEnds: {
    ...switchFlag("stop when standard input closes, to exit with the parent process"),
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
function createServerOptions(
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
    ...(options.frozen === undefined ? {} : { outputs: createOutputCache() }),
    ...(database === undefined ? {} : { database: resolve(cwd, database) }),
    ...defined({ seed }),
    ...(access === "public" || access === "private" ? { access } : {}),
  };
}

async function serve(options: ServeOptions, context: CommandContext): Promise<number> {
  const searchedRepositories = openSearchedRepositories(options.repo, context.cwd);
  if (searchedRepositories.note !== undefined) {
    context.err(`note: ${searchedRepositories.note}\n`);
  }
  try {
    return await serveRepositories(searchedRepositories, options, context);
  } finally {
    searchedRepositories.close();
  }
}

async function serveRepositories(
  searchedRepositories: SearchedRepositories,
  options: ServeOptions,
  context: CommandContext,
): Promise<number> {
  const server = await startServer(createServerOptions(options, searchedRepositories, context));
  try {
    context.out(options.json === true ? renderJsonLine(server) : renderGreeting(server, options, context));
    await Promise.race([
      waitForAbort(context.signal),
      ...(options.untilInputEnds === true ? [waitForInputEnd(context)] : []),
    ]);
    return 0;
  } finally {
    await server.close();
  }
}

const renderJsonLine = (server: RunningServer): string => {
  const { url, token, tokens, access, sharing } = server;
  return `${JSON.stringify({ url, token, tokens, access, sharing, environment: createServerEnvironment(server) })}\n`;
};

function renderGreeting(server: RunningServer, { fault }: ServeOptions, { env }: CommandContext): string {
  const { url, repositories, access } = server;
  const ids = new Set(fault?.map((text) => text.replace(/:.*$/su, "")));
  const activeFaults = listFaults().filter(({ id }) => ids.has(id));
  const variables = Object.entries(createServerEnvironment(server)).map((pair) => `  export ${pair.join("=")}`);
  return [
    `assay reference server at ${url} (${access})`,
    `searches ${repositories.join(", ")}`,
    ...activeFaults.map(({ description }) => `misbehaves: ${description}`),
    "",
    ...variables,
    `  ${getCommandName(env)} run`,
    `  curl -N -H "Authorization: token $SRC_ACCESS_TOKEN" "$SRC_ENDPOINT/.api/search/stream?q=test"`,
    `  curl -H "Authorization: token $SRC_ACCESS_TOKEN" -H 'X-Requested-With: curl 8' -d '{"question":"..."}' "$SRC_ENDPOINT/.api/deepsearch/v1"`,
    `  open $SRC_ENDPOINT/api-reference for the OpenAPI document`,
    "",
    "Ctrl-C stops it.",
    "",
  ].join("\n");
}

async function waitForInputEnd({ stdin }: Pick<CommandContext, "stdin">): Promise<void> {
  stdin.resume();
  await finished(stdin, { writable: false }).catch(() => undefined);
}

function waitForAbort(signal: AbortSignal): Promise<void> {
  return new Promise((settle) => {
    if (signal.aborted) {
      settle();
      return;
    }
    // The listening server keeps the process alive, which a pending promise would not.
    signal.addEventListener("abort", () => settle(), { once: true });
  });
}
