/** One instruction of a Dockerfile, with continued lines joined. */
interface Instruction {
  readonly name: string;
  readonly args: string;
}

const splitWords = (text: string): readonly string[] => text.split(/\s+/u).filter((word) => word !== "");

/** Parses the instructions. Skips comments. */
function parseInstructions(dockerfile: string): readonly Instruction[] {
  const lines = dockerfile
    .split("\n")
    .filter((line) => !line.startsWith("#"))
    .join("\n")
    .replaceAll(/\\\n/gu, " ")
    .split("\n");
  return lines.flatMap((line) => {
    const [, name, args = ""] = /^([A-Z]+)\s+(.*)$/u.exec(line.trim()) ?? [];
    return name === undefined ? [] : [{ name, args }];
  });
}

/**
 * Finds visible problems of a Dockerfile: images that are not pinned, stages that run as root, secrets, missing paths.
 * `exists` gets paths relative to the root of the build. Does not check whether the image builds.
 */
export function findImageProblems(dockerfile: string, exists: (path: string) => boolean): readonly string[] {
  const instructions = parseInstructions(dockerfile);
  return [
    ...findFromProblems(instructions),
    ...findCopyProblems(instructions, exists),
    ...findUserProblems(instructions),
    ...instructions
      .filter(({ name, args }) => (name === "ENV" || name === "ARG") && /TOKEN|SECRET|PASSWORD|KEY/iu.test(args))
      .map(({ name, args }) => `${name} ${args} would leave a secret in the image`),
  ];
}

const listStages = (instructions: readonly Instruction[]): readonly string[] =>
  instructions.filter(({ name }) => name === "FROM").map(({ args }) => splitWords(args)[2] ?? "");

/** Each image needs a version of three numbers or is an earlier stage, and each stage needs a name. */
function findFromProblems(instructions: readonly Instruction[]): readonly string[] {
  const froms = instructions.filter(({ name }) => name === "FROM").map(({ args }) => args);
  const isEarlierStage = (args: string, index: number): boolean => {
    const [image = "", , stage = ""] = splitWords(args);
    return /^[a-z0-9]+$/u.test(stage) && listStages(instructions).slice(0, index).includes(image);
  };
  return froms
    .filter(
      (args, index) =>
        !/^\S+:\d+\.\d+\.\d+\S*(@sha256:[0-9a-f]{64})? AS [a-z0-9]+$/u.test(args) && !isEarlierStage(args, index),
    )
    .map((args) => `FROM ${args} is not pinned to a version, or its stage has no name`);
}

/** Each copied path must exist in the sources or in an earlier stage. */
function findCopyProblems(instructions: readonly Instruction[], exists: (path: string) => boolean): readonly string[] {
  const stages = listStages(instructions);
  return instructions
    .filter(({ name }) => name === "COPY" || name === "ADD")
    .flatMap(({ args }) => {
      const words = splitWords(args);
      const from = words.find((word) => word.startsWith("--from="))?.slice("--from=".length);
      const sources = words.filter((word) => !word.startsWith("--")).slice(0, -1);
      if (from !== undefined) {
        return stages.includes(from) ? [] : [`COPY ${args} names a stage that does not exist`];
      }
      return sources.filter((path) => !exists(path)).map((path) => `COPY ${args}: ${path} does not exist`);
    });
}

/** Stages that run must have a numeric user. Stages that others copy from are only built. */
function findUserProblems(instructions: readonly Instruction[]): readonly string[] {
  const copiedStages = new Set(instructions.flatMap(({ args }) => /--from=(\S+)/u.exec(args)?.slice(1) ?? []));
  const users = new Map<string, string>();
  let stage = "";
  for (const { name, args } of instructions) {
    const [image = "", , stageName = ""] = splitWords(args);
    stage = name === "FROM" ? stageName : stage;
    // A stage begins with the user of the stage that it starts from.
    users.set(stage, name === "USER" ? args : (users.get(stage) ?? users.get(image) ?? "root"));
  }
  return [...users]
    .filter(([name, user]) => !copiedStages.has(name) && !/^[1-9]\d*:[1-9]\d*$/u.test(user))
    .map(([name, user]) => `the stage ${name} runs as ${user}; it needs a number that is not 0, for user and group`);
}
