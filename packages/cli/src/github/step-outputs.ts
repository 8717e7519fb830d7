const breaks = /[\r\n]/u;

/** Returns a delimiter that is not a line of the value. */
const chooseDelimiter = (value: string): string => {
  const lines = new Set(value.split(/\r\n|\r|\n/u));
  let mark = "ASSAY_END";
  while (lines.has(mark)) {
    mark += "_";
  }
  return mark;
};

/** Formats outputs of a step for the file in GITHUB_OUTPUT. A value cannot set a different output. */
export const stepOutputs = (outputs: Readonly<Record<string, string>>): string =>
  Object.entries(outputs)
    .map(([name, value]) => {
      const mark = chooseDelimiter(value);
      return breaks.test(value) ? `${name}<<${mark}\n${value}\n${mark}\n` : `${name}=${value}\n`;
    })
    .join("");
