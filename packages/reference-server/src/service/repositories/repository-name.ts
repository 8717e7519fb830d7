import { basename } from "node:path";
import { hash32 } from "../seeded-random.ts";

const withoutGitSuffix = (path: string): string => path.replace(/^\/+|\/+$/gu, "").replace(/\.git$/u, "");

/** Matches `user@host:path`, the short form of ssh remotes. A one-letter host is a Windows drive. */
const scpLikeUrl = /^(?:[^@/\s]+@)?(?<host>[\w.-]{2,}):(?!\/\/)(?<path>\S+)$/u;

const readHostAndPath = (remoteUrl: string): string | undefined => {
  const scpMatch = scpLikeUrl.exec(remoteUrl)?.groups;
  if (scpMatch !== undefined) {
    return `${scpMatch["host"] ?? ""}/${withoutGitSuffix(scpMatch["path"] ?? "")}`;
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
 * Returns the name of a repository: host and path of its remote, without scheme, user, password, port and `.git`. If there is no usable
 * remote, returns `local/` and the name of the folder.
 */
export const chooseRepositoryName = (directory: string, remoteUrl: string | undefined): string =>
  (remoteUrl === undefined ? undefined : readHostAndPath(remoteUrl.trim())) ?? `local/${basename(directory)}`;

/** Maps a repository name to a stable positive signed 32-bit number. */
export const computeRepositoryId = (name: string): number => hash32(name) & 0x7fffffff || 1;
