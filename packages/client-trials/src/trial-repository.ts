import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** A repository, and a query and a question for it. */
export interface TrialRepository {
  readonly directory: string;
  readonly query: string;
  readonly question: string;
  /** Texts of the results that are not in the query. A client that shows a result prints at least one. */
  readonly foundTexts: readonly string[];
  /**
   * Like `foundTexts`, but only in the first file, which a server sends in a separate event. Other files do not contain them. Empty if
   * unknown.
   */
  readonly firstTexts: readonly string[];
  /** Removes the repository if it was created here. */
  remove(): Promise<void>;
}

/** A word with characters of one, two and three bytes, and a character that URLs must escape. */
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

const gitIdentity = ["-c", "user.name=Trial", "-c", "user.email=trial@example.org", "-c", "commit.gpgsign=false"];

const runGit = async (directory: string, args: readonly string[]): Promise<void> => {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
  await promisify(execFile)("git", [...gitIdentity, ...args], { cwd: directory, env });
};

/** Creates a small repository in a temporary folder. Needs git. */
export const createTrialRepository = async (): Promise<TrialRepository> => {
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
