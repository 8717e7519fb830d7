import { faults } from "@assay/reference-server";
import { choice, faultList, withConflicts, text, toggle, valueFlag } from "../flag.ts";

/** Target flags shared by several commands. */
export const targetFlags = {
  url: text("<URL>", "base address (default: SRC_ENDPOINT, otherwise the embedded server)"),
  access: choice("<MODE>", ["private", "public"], "who may search (default: detected)"),
  sharing: choice("<SWITCH>", ["on", "off"], "whether read tokens work for other users"),
  embedded: withConflicts(toggle("test the embedded server even if SRC_ENDPOINT is set"), "url"),
  fault: {
    ...valueFlag("<ID[:NAME=VALUE]>", faultList, "inject a fault, repeatable (see `assay list --faults`)"),
    completions: faults.map(({ id }) => id),
  },
  tokenFile: text("<FILE>", "file with the access token, - for standard input"),
  tokenCommand: withConflicts(text("<COMMAND>", "shell command that prints the access token"), "tokenFile"),
};
