const lineBreak = /[\r\n]/u;

/** Returns a delimiter that is not a line of the value. */
const chooseDelimiter = (value: string): string => {
  const lines = new Set(value.split(/\r\n|\r|\n/u));
  let delimiter = "ASSAY_END";
  while (lines.has(delimiter)) {
    delimiter += "_";
  }
  return delimiter;
};

/** Formats outputs of a step for the file in GITHUB_OUTPUT. A value cannot set a different output. */
export const formatStepOutputs = (outputs: Readonly<Record<string, string>>): string =>
  Object.entries(outputs)
    .map(([name, value]) => {
      const delimiter = chooseDelimiter(value);
      return lineBreak.test(value) ? `${name}<<${delimiter}\n${value}\n${delimiter}\n` : `${name}=${value}\n`;
    })
    .join("");
