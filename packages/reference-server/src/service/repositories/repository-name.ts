import { basename } from "node:path";
import { hash32 } from "../seeded-random.ts";

const withoutGitSuffix = (path: string): string => path.replace(/^\/+|\/+$/gu, "").replace(/\.git$/u, "");

/** `user@host:path`, the short form of ssh remotes; a one-letter host is a Windows drive. */
const shortForm = /^(?:[^@/\s]+@)?(?<host>[\w.-]{2,}):(?!\/\/)(?<path>\S+)$/u;

const hostAndPath = (remoteUrl: string): string | undefined => {
  const short = shortForm.exec(remoteUrl)?.groups;
  if (short !== undefined) {
    return `${short["host"] ?? ""}/${withoutGitSuffix(short["path"] ?? "")}`;
  }
  if (!URL.canParse(remoteUrl)) {
    return undefined;
  }
  // Only host and path are kept: a remote URL may carry a password.
  const { hostname, pathname } = new URL(remoteUrl);
  const path = withoutGitSuffix(pathname);
  return hostname === "" || path === "" ? undefined : `${hostname}/${path}`;
};

/**
 * Name of a repository: host and path of its remote, without scheme, user, password, port and `.git`. Without a usable remote:
 * `local/` and the name of the folder.
 */
export const repositoryName = (directory: string, remoteUrl: string | undefined): string =>
  (remoteUrl === undefined ? undefined : hostAndPath(remoteUrl.trim())) ?? `local/${basename(directory)}`;

/** A stable positive signed 32-bit number for a repository name. */
export const repositoryId = (name: string): number => hash32(name) & 0x7fffffff || 1;
