import type { Command } from "commander";
import { flagsOf } from "../flag.ts";
import type { Sections } from "./config-schema.ts";

/** Commands that write or show a configuration and are not configured by it. */
const withoutSection: ReadonlySet<string> = new Set(["accept", "config", "init", "help"]);

/** Whether a command has a section in the configuration file: top-level commands with flags. */
export const hasSection = (command: Command): boolean =>
  command.parent?.parent === null && !withoutSection.has(command.name()) && Object.keys(flagsOf(command)).length > 0;

/** The flags of each command with a section. */
export const sectionsOf = (program: Command): Sections =>
  Object.fromEntries(
    program.commands.filter((command) => hasSection(command)).map((command) => [command.name(), flagsOf(command)]),
  );
