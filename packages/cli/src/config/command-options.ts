import type { Command } from "commander";
import { flagsOf } from "../flag.ts";
import type { CommandFlags } from "./config-schema.ts";

/** Commands that create or show a configuration, so they have no section in it. */
const commandsWithoutSection: ReadonlySet<string> = new Set(["accept", "config", "init", "help"]);

/** Reports whether a command has a section in the configuration file. Only top-level commands with flags have one. */
export const hasSection = (command: Command): boolean =>
  command.parent?.parent === null &&
  !commandsWithoutSection.has(command.name()) &&
  Object.keys(flagsOf(command)).length > 0;

/** Returns the flags of each command with a section. */
export const findSections = (program: Command): CommandFlags =>
  Object.fromEntries(
    program.commands.filter((command) => hasSection(command)).map((command) => [command.name(), flagsOf(command)]),
  );
