/** One instruction of a Dockerfile, with continued lines joined. */
interface Instruction {
  readonly name: string;
  readonly rest: string;
}

const splitWords = (text: string): readonly string[] => text.split(/\s+/u).filter((word) => word !== "");

/** The instructions, without comments. */
function parseInstructions(dockerfile: string): readonly Instruction[] {
  const lines = dockerfile
    .split("\n")
    .filter((line) => !line.startsWith("#"))
    .join("\n")
    .replaceAll(/\\\n/gu, " ")
    .split("\n");
  return lines.flatMap((line) => {
    const [, name, rest = ""] = /^([A-Z]+)\s+(.*)$/u.exec(line.trim()) ?? [];
    return name === undefined ? [] : [{ name, rest }];
  });
}

/**
 * Visible problems of a Dockerfile: images that are not pinned, stages that run as root, secrets, missing paths.
 * `exists` gets paths relative to the root of the build. It does not check whether the image builds.
 */
export function findImageProblems(dockerfile: string, exists: (path: string) => boolean): readonly string[] {
  const instructions = parseInstructions(dockerfile);
  return [
    ...fromProblems(instructions),
    ...copyProblems(instructions, exists),
    ...userProblems(instructions),
    ...instructions
      .filter(({ name, rest }) => (name === "ENV" || name === "ARG") && /TOKEN|SECRET|PASSWORD|KEY/iu.test(rest))
      .map(({ name, rest }) => `${name} ${rest} would leave a secret in the image`),
  ];
}

const listStages = (instructions: readonly Instruction[]): readonly string[] =>
  instructions.filter(({ name }) => name === "FROM").map(({ rest }) => splitWords(rest)[2] ?? "");

/** Each image needs a version of three numbers, and each stage a name. */
const fromProblems = (instructions: readonly Instruction[]): readonly string[] =>
  instructions
    .filter(({ name }) => name === "FROM")
    .filter(({ rest }) => !/^\S+:\d+\.\d+\.\d+\S*(@sha256:[0-9a-f]{64})? AS [a-z0-9]+$/u.test(rest))
    .map(({ rest }) => `FROM ${rest} is not pinned to a version, or its stage has no name`);

/** Each copied path must exist in the sources or in an earlier stage. */
function copyProblems(instructions: readonly Instruction[], exists: (path: string) => boolean): readonly string[] {
  const stages = listStages(instructions);
  return instructions
    .filter(({ name }) => name === "COPY" || name === "ADD")
    .flatMap(({ rest }) => {
      const words = splitWords(rest);
      const from = words.find((word) => word.startsWith("--from="))?.slice("--from=".length);
      const sources = words.filter((word) => !word.startsWith("--")).slice(0, -1);
      if (from !== undefined) {
        return stages.includes(from) ? [] : [`COPY ${rest} names a stage that does not exist`];
      }
      return sources.filter((path) => !exists(path)).map((path) => `COPY ${rest}: ${path} does not exist`);
    });
}

/** Stages that run must have a numeric user. Stages that others copy from only build. */
function userProblems(instructions: readonly Instruction[]): readonly string[] {
  const copied = new Set(instructions.flatMap(({ rest }) => /--from=(\S+)/u.exec(rest)?.slice(1) ?? []));
  const users = new Map<string, string>();
  let stage = "";
  for (const { name, rest } of instructions) {
    stage = name === "FROM" ? (splitWords(rest)[2] ?? "") : stage;
    users.set(stage, name === "USER" ? rest : (users.get(stage) ?? "root"));
  }
  return [...users]
    .filter(([name, user]) => !copied.has(name) && !/^[1-9]\d*:[1-9]\d*$/u.test(user))
    .map(([name, user]) => `the stage ${name} runs as ${user}; it needs a number that is not 0, for user and group`);
}
