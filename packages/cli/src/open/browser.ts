import { spawn } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import type { CommandContext } from "../command-context.ts";

/** A program that opens a URL. */
export interface Opener {
  readonly program: string;
  readonly args: readonly string[];
}

/** The shell splits the command of the user. The URL is a separate argument and never part of the command. */
const createVariableOpener = (command: string, url: string): Opener => ({
  program: "sh",
  args: ["-c", command.includes("%s") ? command.replaceAll("%s", '"$1"') : `${command} "$1"`, "sh", url],
});

const hasDisplay = (env: NodeJS.ProcessEnv): boolean =>
  ["DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME"].some((name) => (env[name] ?? "") !== "");

function listPlatformOpeners(url: string, platform: NodeJS.Platform, env: NodeJS.ProcessEnv): readonly Opener[] {
  if (platform === "darwin") {
    return [{ program: "open", args: [url] }];
  }
  if (platform === "win32") {
    return [{ program: "rundll32", args: ["url.dll,FileProtocolHandler", url] }];
  }
  // Without a display, xdg-open would start a text browser in this terminal.
  return hasDisplay(env) ? [{ program: "xdg-open", args: [url] }] : [];
}

/** Lists the programs to try. Commands in `BROWSER`, separated by colons, come first. */
export function listOpeners(url: string, env: NodeJS.ProcessEnv, platform: NodeJS.Platform): readonly Opener[] {
  const configuredCommands =
    platform === "win32" ? [] : (env["BROWSER"] ?? "").split(":").filter((command) => command.trim() !== "");
  return [
    ...configuredCommands.map((command) => createVariableOpener(command, url)),
    ...listPlatformOpeners(url, platform, env),
  ];
}

/** If the program still runs after this time, it is a browser in the foreground that has opened the page. */
const startTimeoutMs = 3000;

function startOpener({ program, args }: Opener, { cwd, env }: Pick<CommandContext, "cwd" | "env">): Promise<boolean> {
  const child = spawn(program, args, { cwd, env, detached: true, stdio: "ignore" });
  const timeoutController = new AbortController();
  const exit = new Promise<boolean>((resolve) => {
    child.once("error", () => resolve(false));
    child.once("exit", (code) => resolve(code === 0));
  });
  child.unref();
  const timeout = delay(startTimeoutMs, true, { signal: timeoutController.signal }).catch(() => true);
  return Promise.race([exit, timeout]).finally(() => timeoutController.abort());
}

/** Opens a URL in a browser. Returns false in continuous integration, and if there is no browser. */
export async function openInBrowser(
  url: string,
  context: Pick<CommandContext, "cwd" | "env" | "terminal">,
): Promise<boolean> {
  const openers = context.terminal.isCi ? [] : listOpeners(url, context.env, process.platform);
  for (const opener of openers) {
    if (await startOpener(opener, context)) {
      return true;
    }
  }
  return false;
}
