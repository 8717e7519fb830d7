import { faults } from "@assay/reference-server";
import { choiceFlag, faultList, withConflicts, textFlag, switchFlag, valueFlag } from "../flag.ts";

/** Target flags shared by several commands. */
export const targetFlags = {
  url: textFlag("<URL>", "base URL (default: SRC_ENDPOINT, otherwise the embedded server)"),
  access: choiceFlag("<MODE>", ["private", "public"], "whether a token is required (default: detected)"),
  sharing: choiceFlag("<SWITCH>", ["on", "off"], "whether read tokens work for other users"),
  embedded: withConflicts(switchFlag("test the embedded server even if SRC_ENDPOINT is set"), "url"),
  fault: {
    ...valueFlag("<ID[:NAME=VALUE]>", faultList, "inject a fault, repeatable (see `assay list --faults`)"),
    completions: faults.map(({ id }) => id),
  },
  tokenFile: textFlag("<FILE>", "file with the access token, - for standard input"),
  tokenCommand: withConflicts(textFlag("<COMMAND>", "shell command that prints the access token"), "tokenFile"),
};
