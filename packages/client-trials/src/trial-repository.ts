import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** A repository to search in, and what to ask about it. */
export interface TrialRepository {
  readonly directory: string;
  readonly query: string;
  readonly question: string;
  /** Texts of which a client shows one when it shows a result; they are not in the query. */
  readonly foundTexts: readonly string[];
  /**
   * The same of the file that is found first, which a server sends in an event of its own; they are in no other file. Empty
   * where that is not known.
   */
  readonly firstTexts: readonly string[];
  /** Removes it, where it was made. */
  remove(): Promise<void>;
}

/** A word with letters of one, two and three bytes, and with a character that addresses have to escape. */
const query = "größe+日本語";
const question = "Where is größe used, and why?";

const files: Readonly<Record<string, string>> = {
  "README.md": "# Measures\n\nEvery größe has a unit.\n",
  "src/größe-日本語.ts": `/** größe+日本語 🚀 begins here. */\nexport const größe = "größe+日本語 🚀";\n`,
  ...Object.fromEntries(
    Array.from({ length: 4 }, (_, index) => [
      `src/part-${index}.ts`,
      `// part ${index}\nexport const part${index} = "größe+日本語 🚀 ${index}";\n`,
    ]),
  ),
};

const identity = ["-c", "user.name=Trial", "-c", "user.email=trial@example.org", "-c", "commit.gpgsign=false"];

const runGit = async (directory: string, args: readonly string[]): Promise<void> => {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
  await promisify(execFile)("git", [...identity, ...args], { cwd: directory, env });
};

/** Makes a small repository in a temporary folder. Needs git. */
export const makeTrialRepository = async (): Promise<TrialRepository> => {
  const parent = await mkdtemp(join(tmpdir(), "assay-client-"));
  const directory = join(parent, "measures");
  await mkdir(join(directory, "src"), { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(directory, name), content);
  }
  await runGit(directory, ["init", "--quiet", "--initial-branch=main"]);
  await runGit(directory, ["add", "--all"]);
  await runGit(directory, ["commit", "--quiet", "--message", "measures"]);
  return {
    directory,
    query,
    question,
    foundTexts: ["日本語 🚀", "größe-日本語"],
    firstTexts: ["größe-日本語", "begins here"],
    remove: () => rm(parent, { recursive: true, force: true }),
  };
};
