import type { ProcessPool } from "../ripgrep/process-pool.ts";
import { decodeGoText } from "../ripgrep/go-text.ts";
import { runUncachedProcess } from "../ripgrep/run-process.ts";

/** One commit of `git log`. */
export interface LoggedCommit {
  /** 40 hex digits. */
  readonly oid: string;
  readonly authorName: string;
  /** RFC 3339, with the author's own offset. */
  readonly authorDate: string;
  readonly committerName: string;
  readonly committerDate: string;
  /** Subject and body, without trailing line ends. */
  readonly message: string;
  /** The patch against the parent, cut at 4 MiB. Empty unless requested, and for merges. */
  readonly patch: string;
}

export interface GitLogOptions {
  readonly directory: string;
  /** The newest commit of the history; 40 hex digits. */
  readonly commit: string;
  /** Options of `git log`. Each value is in the same argument as its option. */
  readonly options: readonly string[];
  readonly signal: AbortSignal;
  readonly pool: ProcessPool;
}

const recordStart = 0x1e;
const fieldEnd = 0x00;
const fieldCount = 6;
/** A commit starts with a record separator and ends its fields with NUL, which never occurs in a git message. */
const logFormat = "--format=tformat:%x1e%H%x00%an%x00%aI%x00%cn%x00%cI%x00%B%x00";
const nextRecordStart = Buffer.of(0x0a, recordStart);
const maxPatchBytes = 4 * 1024 * 1024;

/** Prevents the configuration of a repository from changing the format or starting a program. */
const fixedArguments = [
  ...["core.fsmonitor=false", "log.showSignature=false", "core.quotePath=false", "log.mailmap=false"].flatMap(
    (setting) => ["-c", setting],
  ),
  "--no-pager",
  "log",
  "--no-color",
  "--no-ext-diff",
  "--no-textconv",
  "--no-notes",
  "--no-renames",
  "--encoding=UTF-8",
  "--src-prefix=a/",
  "--dst-prefix=b/",
  logFormat,
];

const environment = { LC_ALL: "C", GIT_OPTIONAL_LOCKS: "0", GIT_NO_LAZY_FETCH: "1", GIT_TERMINAL_PROMPT: "0" };

interface Head {
  readonly fields: readonly string[];
  readonly end: number;
}

/** Returns the fields of the record at the start of a buffer, or undefined if the record is incomplete. */
const readHead = (record: Buffer): Head | undefined => {
  const fields: string[] = [];
  let start = 1;
  while (fields.length < fieldCount) {
    const end = record.indexOf(fieldEnd, start);
    if (end < 0) {
      return undefined;
    }
    fields.push(decodeGoText(record.subarray(start, end)));
    start = end + 1;
  }
  return { fields, end: start };
};

const createCommit = ({ end, fields }: Head, record: Buffer): LoggedCommit => {
  const [oid = "", authorName = "", authorDate = "", committerName = "", committerDate = "", message = ""] = fields;
  const patch = decodeGoText(record.subarray(end, end + maxPatchBytes));
  return { oid, authorName, authorDate, committerName, committerDate, message: message.trimEnd(), patch };
};

/** Reads the output in pieces and returns the complete commits. */
interface LogReader {
  readonly take: (chunk: Buffer) => readonly LoggedCommit[];
  readonly end: () => readonly LoggedCommit[];
}

const createLogReader = (): LogReader => {
  let unreadBytes: Buffer = Buffer.alloc(0);
  let head: Head | undefined;
  let searchedBytes = 0;
  const takeFirstCommit = (): LoggedCommit | undefined => {
    head ??= readHead(unreadBytes);
    const next = head === undefined ? -1 : unreadBytes.indexOf(nextRecordStart, Math.max(head.end, searchedBytes));
    if (head === undefined || next < 0) {
      searchedBytes = Math.max(0, unreadBytes.length - 1);
      return undefined;
    }
    const commit = createCommit(head, unreadBytes.subarray(0, next));
    unreadBytes = unreadBytes.subarray(next + 1);
    head = undefined;
    searchedBytes = 0;
    return commit;
  };
  /** Truncates a patch that is too large. Keeps the last byte, because the next record may start after it. */
  const dropExcess = (): void => {
    const maxUnread = (head?.end ?? Number.POSITIVE_INFINITY) + maxPatchBytes;
    if (unreadBytes.length > maxUnread + 1) {
      unreadBytes = Buffer.concat([unreadBytes.subarray(0, maxUnread), unreadBytes.subarray(-1)]);
      searchedBytes = maxUnread;
    }
  };
  return {
    take: (chunk) => {
      unreadBytes = unreadBytes.length === 0 ? chunk : Buffer.concat([unreadBytes, chunk]);
      const commits: LoggedCommit[] = [];
      for (let commit = takeFirstCommit(); commit !== undefined; commit = takeFirstCommit()) {
        commits.push(commit);
      }
      dropExcess();
      return commits;
    },
    end: () => {
      const last = readHead(unreadBytes);
      return last === undefined ? [] : [createCommit(last, unreadBytes)];
    },
  };
};

/**
 * Yields the history of a commit, newest first, in groups as git prints it. Does not use a shell. The process has exited once the
 * iteration ends. Patches are cut at 4 MiB. Throws ProcessError if git fails.
 */
export async function* readGitLog(run: GitLogOptions): AsyncGenerator<readonly LoggedCommit[]> {
  const { commit, directory, options, pool, signal } = run;
  const reader = createLogReader();
  const args = [...fixedArguments, ...options, commit, "--"];
  // The patches of a whole history may be large, and a search needs few of them.
  const output = runUncachedProcess({ file: "git", args, cwd: directory, env: environment, signal, pool });
  for await (const chunk of output) {
    const commits = reader.take(chunk);
    if (commits.length > 0) {
      yield commits;
    }
  }
  if (!signal.aborted) {
    yield reader.end();
  }
}
