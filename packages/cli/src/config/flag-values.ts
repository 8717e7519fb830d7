import { dirname, isAbsolute, relative, resolve } from "node:path";
import { visibleText } from "@assay/evidence";
import { isShippedListName } from "@assay/runner";
import { InvalidArgumentError, type Option } from "commander";
import { UsageError } from "../command-error.ts";
import { isRepeatable } from "../flag.ts";
import type { ConfigFile } from "./find-config.ts";

/** A value of the file for a flag, and the member that it stands in. */
export interface FileValue {
  readonly path: string;
  readonly value: unknown;
}

interface Place {
  readonly file: ConfigFile;
  readonly cwd: string;
}

/** Flags whose values are paths, by how their argument is written. */
const namesPath = ({ flags }: Option): boolean => /[<[](?:FILE|DIR|RUN)\b/u.test(flags);

/** Neither standard input, nor an address, nor an included list, nor a mark such as `-`. */
const isPath = (text: string): boolean => text !== "-" && !/^[a-z]+:\/\//iu.test(text) && !isShippedListName(text);

/** Paths in a file are relative to its folder. */
function fromItsFolder(text: string, { file, cwd }: Place): string {
  return isAbsolute(text) ? text : relative(cwd, resolve(dirname(file.path), text)) || ".";
}

const isText = (value: unknown): value is string | number => typeof value === "string" || typeof value === "number";

/** What the flag reads of one text, after what it has read before. */
function readText(
  option: Option,
  given: { readonly text: string; readonly path: string; readonly before: unknown },
  place: Place,
) {
  const { text, path, before } = given;
  const parse: ((value: string, earlier: unknown) => unknown) | undefined = option.parseArg;
  const value = namesPath(option) && isPath(text) ? fromItsFolder(text, place) : text;
  try {
    return parse === undefined ? value : parse(value, before);
  } catch (cause) {
    throw cause instanceof InvalidArgumentError
      ? new UsageError(`${place.file.shown}: ${path} is "${visibleText(text, 60)}"; ${cause.message}`, { cause })
      : cause;
  }
}

/** Of a flag without a value: on, off for one that begins with `--no-`, or not said. */
const valueOfSwitch = ({ negate }: Option, isOn: boolean): boolean | undefined => (isOn === negate ? undefined : isOn);

/** The value that the flag would have with this text on the command line. */
export function valueOfFlag(option: Option, { path, value }: FileValue, place: Place): unknown {
  if (typeof value === "boolean") {
    return valueOfSwitch(option, value);
  }
  const texts = (Array.isArray(value) ? value : [value]).filter(isText).map(String);
  // An empty list is a list all the same: it is what the file says.
  let result: unknown = texts.length === 0 && isRepeatable(option) ? [] : undefined;
  for (const text of texts) {
    result = readText(option, { text, path, before: isRepeatable(option) ? result : undefined }, place);
  }
  return result;
}
