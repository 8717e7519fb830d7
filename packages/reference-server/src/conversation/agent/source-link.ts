import type { Repository } from "../../repositories/repository.ts";

/** Also what ends a link in markdown is escaped. */
const escaped = (path: string): string =>
  path
    .split("/")
    .map((part) =>
      encodeURIComponent(part).replace(/[()'!*]/gu, (found) => `%${found.charCodeAt(0).toString(16).toUpperCase()}`),
    )
    .join("/");

/** Address of a repository below the base URL. */
export const repositoryLink = ({ name }: Repository): string => `/${escaped(name)}`;

/** Address of a line of a file below the base URL; the line counts from 1. */
export const lineLink = (repository: Repository, path: string, line: number): string =>
  `${repositoryLink(repository)}${repository.commit === undefined ? "" : `@${repository.commit}`}/-/blob/${escaped(path)}?L${line}`;
