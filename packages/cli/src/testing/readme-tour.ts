/** One command of the README's tour, and what is said of it there. */
export interface TourStep {
  readonly command: string;
  /** As a comment behind the command says; 0 without one. */
  readonly exitCode: number;
  /** Lines that are shown below the command, without the space around them. */
  readonly shown: readonly string[];
}

const exitCodeComment = / +# exit code (\d+)$/u;

const stepOf = (line: string): TourStep => ({
  command: line.replace(exitCodeComment, ""),
  exitCode: Number(exitCodeComment.exec(line)?.[1] ?? 0),
  shown: [],
});

const linesOf = (block: string): readonly string[] => block.split("\n").filter((line) => line.trim() !== "");

/** What is shown belongs to the last command before it. */
function withShown(steps: readonly TourStep[], shown: readonly string[]): readonly TourStep[] {
  const last = steps.at(-1);
  if (last === undefined) {
    throw new Error("the tour shows output before any command");
  }
  return [...steps.slice(0, -1), { ...last, shown: shown.map((line) => line.trim()) }];
}

/** The commands of the section with this heading, in order: what stands in blocks of `sh`, and what blocks of `text` show of it. */
export function tourOf(readme: string, heading: string): readonly TourStep[] {
  const [, section = ""] = readme.split(`\n## ${heading}\n`);
  const [part = ""] = section.split("\n## ");
  let steps: readonly TourStep[] = [];
  for (const [, language, block = ""] of part.matchAll(/^```(sh|text)\n([\s\S]*?)^```$/gmu)) {
    const lines = linesOf(block);
    steps = language === "sh" ? [...steps, ...lines.map(stepOf)] : withShown(steps, lines);
  }
  return steps;
}
