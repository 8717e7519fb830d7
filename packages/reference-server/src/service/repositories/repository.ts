/** A tracked file: a regular file of the index whose name fits on a command line. */
export interface TrackedFile {
  /** Path below the top of the work tree, with forward slashes. */
  readonly path: string;
  /** The language's own spelling; absent for unknown kinds of files. */
  readonly language?: string;
}

/** A searched repository, as read at the start of the server. */
export interface Repository {
  /** Host and path of the remote `origin`, or `local/` and the folder's name. */
  readonly name: string;
  /** Positive 32-bit number derived from the name. */
  readonly id: number;
  /** Top of the work tree. */
  readonly directory: string;
  /** Commit of HEAD, 40 hex digits; absent before the first commit. */
  readonly commit?: string;
  /** Committer time of HEAD in UTC, RFC 3339; used as the time of the last fetch. */
  readonly fetchedAt?: string;
  /** In byte order of the paths. */
  readonly files: readonly TrackedFile[];
}
