import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { quietChromium } from "@assay/tools/quiet-chromium";
import { type Browser, chromium } from "playwright-core";

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

const namesOnPath = ["chromium", "chromium-browser", "google-chrome"] as const;

/** The path on Debian, which the PATH of a service may leave out. */
const debianPath = "/usr/bin/chromium";

const usualPlaces = (env: NodeJS.ProcessEnv, fixedPath: string): readonly string[] => {
  const folders = (env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return [fixedPath, ...namesOnPath.flatMap((name) => folders.map((folder) => join(folder, name)))];
};

const isRequired = (env: NodeJS.ProcessEnv): boolean =>
  (env["ASSAY_REQUIRE"] ?? "").split(",").some((name) => name.trim() === "chromium");

/**
 * The path of Chromium: ASSAY_CHROMIUM, else the path on Debian, else on PATH; undefined if not found. Throws if ASSAY_CHROMIUM is not
 * executable, or if Chromium is not found although ASSAY_REQUIRE names `chromium`.
 */
export function chromiumPath(env: NodeJS.ProcessEnv = process.env, fixedPath = debianPath): string | undefined {
  const named = env["ASSAY_CHROMIUM"] ?? "";
  if (named !== "" && !isExecutable(named)) {
    throw new Error(`ASSAY_CHROMIUM is ${named}, which is not an executable file`);
  }
  const found = [...(named === "" ? [] : [named]), ...usualPlaces(env, fixedPath)].find(isExecutable);
  if (found === undefined && isRequired(env)) {
    throw new Error("chromium is not installed, but ASSAY_REQUIRE requires it");
  }
  return found;
}

/** Reports whether Chromium is found; for `describe.skipIf(!hasChromium())`. Throws like `chromiumPath`. */
export const hasChromium = (env: NodeJS.ProcessEnv = process.env): boolean => chromiumPath(env) !== undefined;

const launchTimeoutMs = 300_000;

/** Starts a headless Chromium without network services of its own; the caller closes it. Throws if it is not found or does not start within five minutes. */
export function launchChromium(): Promise<Browser> {
  const executablePath = chromiumPath();
  if (executablePath === undefined) {
    throw new Error(
      "chromium is not installed; set ASSAY_CHROMIUM to the program, or install Debian's package chromium",
    );
  }
  return chromium.launch({ executablePath, args: [...quietChromium], timeout: launchTimeoutMs });
}
