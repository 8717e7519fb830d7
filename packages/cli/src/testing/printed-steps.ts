/** A command of a page, with the result that the page shows. */
export interface PrintedStep {
  readonly command: string;
  /** From a comment after the command; 0 without one. */
  readonly exitCode: number;
  /** Lines that are shown below the command, without the space around them. */
  readonly shown: readonly string[];
}

const exitCodeComment = / +# exit code (\d+)$/u;

const stepOf = (line: string): PrintedStep => ({
  command: line.replace(exitCodeComment, ""),
  exitCode: Number(exitCodeComment.exec(line)?.[1] ?? 0),
  shown: [],
});

const linesOf = (block: string): readonly string[] => block.split("\n").filter((line) => line.trim() !== "");

/** Commands of a block of `sh`; a line that ends with a backslash continues in the next one. */
const commandsOf = (block: string): readonly PrintedStep[] =>
  linesOf(block.replaceAll(/\s*\\\n\s*/gu, " ")).map((line) => stepOf(line));

/** What a job of GitHub Actions runs. */
const runLinesOf = (block: string): readonly PrintedStep[] =>
  [...block.matchAll(/^ *(?:- )?run: (?<command>.+)$/gmu)].map(({ groups }) => stepOf(groups?.["command"] ?? ""));

/** Shown output belongs to the last command before it. */
function withShown(steps: readonly PrintedStep[], shown: readonly string[]): readonly PrintedStep[] {
  const last = steps.at(-1);
  if (last === undefined) {
    throw new Error("the page shows output before any command");
  }
  return [...steps.slice(0, -1), { ...last, shown: shown.map((line) => line.trim()) }];
}

/** The commands of a page in order: those in blocks of `sh` and `yaml`, each with the output in the block of `text` after it. */
export function printedSteps(page: string): readonly PrintedStep[] {
  let steps: readonly PrintedStep[] = [];
  for (const [, language, block = ""] of page.matchAll(/^```(sh|text|yaml)\n([\s\S]*?)^```$/gmu)) {
    if (language === "text") {
      steps = withShown(steps, linesOf(block));
    } else {
      steps = [...steps, ...(language === "sh" ? commandsOf(block) : runLinesOf(block))];
    }
  }
  return steps;
}
