import { HarnessError, isHarnessError } from "@assay/contract";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { dirname, extname, join, resolve } from "node:path";
import type { Plugin } from "rolldown";
import { scenarioFolder } from "./scenario-folder.ts";
import { isScenarioName, scenarioNames } from "./scenario-names.ts";

/**
 * Returns syntax that k6's JavaScript does not support and that the bundler does not transform, or undefined. Given
 * such a script as TypeScript, k6 does not report an error but never ends.
 */
async function findUnsupportedSyntax(code: string): Promise<string | undefined> {
  // Loaded on demand, since no other command needs it.
  const { parseSync, Visitor } = await import("rolldown/utils");
  const unsupportedSyntax = new Set<string>();
  new Visitor({
    ForOfStatement: ({ await: isAwaiting }) => void (isAwaiting && unsupportedSyntax.add("for await")),
    FunctionDeclaration: ({ async, generator }) =>
      void (async && generator && unsupportedSyntax.add("async function*")),
    FunctionExpression: ({ async, generator }) => void (async && generator && unsupportedSyntax.add("async function*")),
    VariableDeclaration: ({ kind }) => void (kind.endsWith("using") && unsupportedSyntax.add(kind)),
    Decorator: () => void unsupportedSyntax.add("a decorator"),
    ImportExpression: () => void unsupportedSyntax.add("import()"),
  }).visit(parseSync("scenario.js", code).program);
  return [...unsupportedSyntax][0];
}

/** Reads a member of an object of unknown shape. */
const readMember = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;

/** Returns the first line of a message, without colours and codes. An excerpt of the source may follow it. */
function cleanFirstLine(message: string): string {
  // oxlint-disable-next-line no-control-regex -- The escape character is what begins a colour.
  const [line = ""] = message.replaceAll(/\u001B\[[\d;]*m/gu, "").split("\n");
  return line.replace(/^(?:Error: )?(?:\[[A-Z_]+\] )?/u, "").trim();
}

/** Describes a bundler's failure in one clause: the message, and the position if known. Never fails. */
function describeProblem(cause: unknown): string {
  const errors = readMember(cause, "errors");
  const firstError: unknown = Array.isArray(errors) && errors.length > 0 ? errors[0] : cause;
  const message = readMember(firstError, "message");
  const location = readMember(firstError, "loc");
  const [line, column] = [readMember(location, "line"), readMember(location, "column")];
  const position =
    typeof line === "number" && typeof column === "number" ? ` (line ${line}, column ${column + 1})` : "";
  return `${cleanFirstLine(typeof message === "string" ? message : String(firstError)) || "no reason was given"}${position}`;
}

export interface BundleRequest {
  /** Name of a scenario of this project, or path of a file `.ts` or `.js`. */
  readonly scenario: string;
  /** Path of the script. Its folder is created if missing. */
  readonly outFile: string;
}

export interface BundledScenario {
  /** Digest of the script in lower-case hex. It does not depend on the location of the project. */
  readonly sha256: string;
}

const quote = (text: string): string => JSON.stringify(text.slice(0, 200));

function resolveEntry(scenario: string): string {
  if (isScenarioName(scenario)) {
    return join(scenarioFolder, `${scenario}.ts`);
  }
  if (![".ts", ".js"].includes(extname(scenario))) {
    throw new HarnessError(
      "unknown-scenario",
      `there is no scenario ${quote(scenario)}; choose one of ${scenarioNames.join(", ")}, or give the path of a .ts or .js file.`,
    );
  }
  const path = resolve(scenario);
  if (!existsSync(path)) {
    throw new HarnessError("unreadable-scenario", `there is no file ${quote(path)}; give the path of a scenario.`);
  }
  return path;
}

/** Reports whether a module is part of k6. */
const isK6Module = (source: string): boolean => source === "k6" || source.startsWith("k6/");

/** Import names of library modules, as used with an installed package and within this project. */
const libraryImport = /^(?:assay\/scenarios|@assay\/scenarios\/lib)\/(?<name>[\w-]+)(?:\.[jt]s)?$/u;

/** Finds the file of a library module: its source, or its compiled form in an installed package. */
const findLibraryFile = (name: string): string =>
  [".ts", ".js"].map((ending) => join(scenarioFolder, "lib", `${name}${ending}`)).find((path) => existsSync(path)) ??
  join(scenarioFolder, "lib", name);

/** Resolves the scenario library and its packages for a file in any folder. Rejects modules that k6 does not have. */
const libraryResolver: Plugin = {
  name: "assay-scenarios",
  async resolveId(source, importer) {
    const name = libraryImport.exec(source)?.groups?.["name"];
    if (name !== undefined) {
      return findLibraryFile(name);
    }
    if (isBuiltin(source)) {
      throw new Error(`it imports ${quote(source)}, a module of Node, which k6 does not have`);
    }
    return source.startsWith("@assay/") && importer !== undefined && !importer.startsWith(scenarioFolder)
      ? this.resolve(source, join(scenarioFolder, "lib", "recorder.ts"), { skipSelf: true })
      : undefined;
  },
};

async function bundleEntry(entry: string): Promise<string> {
  // Loaded on demand, since no other command needs it.
  const { rolldown } = await import("rolldown").catch((cause: unknown) => {
    throw new HarnessError(
      "not-bundled",
      "a scenario of your own is bundled by rolldown, which is not installed; install it next to assay: npm install --save-dev rolldown",
      { cause },
    );
  });
  const build = await rolldown({
    input: entry,
    cwd: scenarioFolder,
    platform: "neutral",
    tsconfig: false,
    external: isK6Module,
    resolve: { conditionNames: ["source", "import", "default"], mainFields: ["module", "main"] },
    plugins: [libraryResolver],
    transform: { target: "es2022" },
    // File names in the script would make its digest depend on the folder.
    experimental: { attachDebugInfo: "none" },
    treeshake: { moduleSideEffects: (id) => !/\/(?:contract|reading|results)\//u.test(id) },
    onLog(level, log) {
      if (level === "warn" && (log.code === "UNRESOLVED_IMPORT" || log.code === "IMPORT_IS_UNDEFINED")) {
        // Thrown unchanged, so that it keeps its position in the source.
        throw log instanceof Error ? log : Object.assign(new Error(log.message), { loc: log.loc });
      }
    },
  });
  try {
    const { output } = await build.generate({ format: "esm", comments: false, codeSplitting: false });
    return output[0].code;
  } finally {
    await build.close();
  }
}

const hashScript = (code: string): string => createHash("sha256").update(code).digest("hex");

/** The folder of prebundled scripts. An installed package has it; a clone does not. */
const readyFolder = join(scenarioFolder, "ready");

const getReadyPath = (name: string): string => join(readyFolder, `${name}.js`);

/** Reports whether a scenario needs no bundler. */
export const isReadyScenario = (scenario: string): boolean =>
  isScenarioName(scenario) && existsSync(getReadyPath(scenario));

async function writeScript(outFile: string, code: string): Promise<void> {
  try {
    await mkdir(dirname(outFile), { recursive: true });
    await writeFile(outFile, code);
  } catch (cause) {
    throw new HarnessError("not-written", `the script cannot be written: ${describeProblem(cause)}.`, { cause });
  }
}

/**
 * Bundles a scenario into one script for k6. Imports are inlined except modules of k6, and types are removed. Fails
 * with a `HarnessError` if the scenario does not exist, does not compile, imports what k6 does not have, has syntax
 * that k6 cannot read, or cannot be written.
 */
export async function bundleScenario({ scenario, outFile }: BundleRequest): Promise<BundledScenario> {
  if (isReadyScenario(scenario)) {
    const readyCode = readFileSync(getReadyPath(scenario), "utf8");
    await writeScript(outFile, readyCode);
    return { sha256: hashScript(readyCode) };
  }
  const entry = resolveEntry(scenario);
  const code = await bundleEntry(entry).catch((cause: unknown) => {
    throw isHarnessError(cause)
      ? cause
      : new HarnessError("not-bundled", `${quote(entry)} cannot be made a script for k6: ${describeProblem(cause)}.`, {
          cause,
        });
  });
  const unsupportedSyntax = await findUnsupportedSyntax(code);
  if (unsupportedSyntax !== undefined) {
    throw new HarnessError(
      "unfit-syntax",
      `${quote(entry)} uses \`${unsupportedSyntax}\`, which k6 cannot read; use other syntax.`,
    );
  }
  await writeScript(outFile, code);
  return { sha256: hashScript(code) };
}
