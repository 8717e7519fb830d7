import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** A server in another language, written from the two specifications without knowledge of this project. */
export interface Stranger {
  readonly url: string;
  /** The variables with which a run knows every credential that it issues. */
  readonly env: Readonly<Record<string, string>>;
  close(): void;
}

/** One deviation of a stranger. */
export interface Deviation {
  readonly name: string;
  /** A fault breaks one sentence of the specifications, a variation none. */
  readonly kind: "fault" | "variation";
  readonly api: "stream" | "legacy" | "current" | "migration";
  /** Section, and how it deviates from a requirement of it. */
  readonly sentence: string;
  /** Another reading of the specifications, with which it would be the other kind. */
  readonly doubt?: string;
}

/** The strangers, each by another hand: one of both specifications, one of the conversation API alone, one of streams alone. */
export const strangerNames = ["general", "questions", "streams"] as const;
export type StrangerName = (typeof strangerNames)[number];

const folderOf = (name: StrangerName): URL => new URL(`../../../../strangers/${name}/`, import.meta.url);
const programOf = (name: StrangerName): string => fileURLToPath(new URL("server.py", folderOf(name)));

/** All deviations of a stranger, in its own order. It runs with -B, so that Python leaves no compiled files. */
export function deviationsOf(name: StrangerName): readonly Deviation[] {
  const { status, stdout } = spawnSync("python3", ["-B", programOf(name), "--list"], {
    encoding: "utf8",
    maxBuffer: 2 ** 24,
  });
  if (status !== 0) {
    throw new Error(`the stranger ${name} does not list what it can do otherwise`);
  }
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** Deviations whose result differs from that of their kind, with the reason. */
interface Exceptions {
  /** Faults that no rule detects, with the reason. All others are detected. */
  readonly unseen: Readonly<Record<string, string>>;
  /** Variations that make a rule report a note, with its sentence. */
  readonly disputed: Readonly<Record<string, string>>;
  /** Variations with which the profile release is incomplete (exit code 3), each with the reason. */
  readonly inconclusive: Readonly<Record<string, string>>;
}

/** Known facts of a stranger. */
export const exceptionsOf = (name: StrangerName): Exceptions =>
  JSON.parse(readFileSync(new URL("exceptions.json", folderOf(name)), "utf8"));

/** Starts a stranger, conforming unless it is to deviate; it ends with this process. */
export async function startStranger(
  name: StrangerName,
  deviation?: Pick<Deviation, "kind" | "name">,
): Promise<Stranger> {
  const args = deviation === undefined ? [] : [`--${deviation.kind}`, deviation.name];
  const child = spawn("python3", ["-B", programOf(name), ...args], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout });
  const line = await new Promise<string>((resolve, reject) => {
    lines.once("line", resolve);
    child.once("exit", () => reject(new Error(`the stranger ended before it served ${args.join(" ")}`)));
  });
  const { url, tokens } = JSON.parse(line);
  const env = {
    SRC_ACCESS_TOKEN: tokens.owner,
    ASSAY_OAUTH_TOKEN: tokens.oauth,
    ASSAY_UNSCOPED_TOKEN: tokens.unscoped,
    ASSAY_UNSCOPED_OAUTH_TOKEN: tokens.oauth_unscoped,
    ASSAY_OTHER_TOKEN: tokens.other,
    ASSAY_READ_TOKEN: tokens.read,
    ASSAY_WRITE_TOKEN: tokens.write,
    ASSAY_QUOTA_TOKEN: tokens.quota_used,
    ASSAY_ENTITLEMENT_TOKEN: tokens.unentitled,
  };
  return { url, env, close: () => void child.kill() };
}
