import { type ConfigSchema, type CommandFlags, createConfigSchema } from "../config/config-schema.ts";

const printWidth = 120;

const typeNames: Readonly<Record<string, string>> = {
  string: "string",
  integer: "number",
  number: "number",
  boolean: "boolean",
  array: "readonly string[]",
};

function typeOf({ enum: names, type }: ConfigSchema): string {
  const types = typeof type === "string" ? [type] : type;
  return names === undefined
    ? types.map((name) => typeNames[name] ?? "unknown").join(" | ")
    : names.map((name) => JSON.stringify(name)).join(" | ");
}

function memberOf([name, schema]: readonly [string, ConfigSchema]): string {
  const line = `  readonly ${name}?: ${typeOf(schema)};`;
  const wrapped = `  readonly ${name}?:${typeOf(schema)
    .split(" | ")
    .map((each) => `\n    | ${each}`)
    .join("")};`;
  return `  /** ${schema.description ?? ""} */\n${line.length > printWidth ? wrapped : line}\n`;
}

const typeName = (command: string): string => `${command.slice(0, 1).toUpperCase()}${command.slice(1)}Section`;

/** Text of the module with the types of all sections. It is generated so that editors show the help of each flag. */
export function sectionTypes(sections: CommandFlags): string {
  const { properties = {} } = createConfigSchema(sections);
  const parts = Object.keys(sections).map((command) => {
    const members = Object.entries(properties[command]?.properties ?? {}).map((entry) => memberOf(entry));
    return `/** Flags of \`assay ${command}\`. */\nexport interface ${typeName(command)} {\n${members.join("")}}\n`;
  });
  const all = Object.keys(sections).map((command) => `  readonly ${command}?: ${typeName(command)};\n`);
  return [
    "// oxlint-disable max-lines -- a table",
    "// Generated from the flags of the commands by `npx vitest run config-schema --update`.\n",
    ...parts,
    `/** A section for each command that has flags. */\nexport interface CommandSections {\n${all.join("")}}\n`,
  ].join("\n");
}
