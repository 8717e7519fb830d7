/** A tracked file: a regular file of the index whose name fits on a command line. */
export interface TrackedFile {
  /** Path below the top of the work tree, with forward slashes. */
  readonly path: string;
  /** Canonical spelling of the language. Absent for unknown kinds of files. */
  readonly language?: string;
}

/** A searched repository in the state that was read when the server started. */
export interface Repository {
  /** Host and path of the remote `origin`, or `local/` and the folder's name. */
  readonly name: string;
  /** Positive 32-bit number derived from the name. */
  readonly id: number;
  /** Top of the work tree. */
  readonly directory: string;
  /** Commit of HEAD, 40 hex digits. Absent before the first commit. */
  readonly commit?: string;
  /** Committer time of HEAD in UTC, RFC 3339. Used as the time of the last fetch. */
  readonly fetchedAt?: string;
  /** In byte order of the paths. */
  readonly files: readonly TrackedFile[];
}
