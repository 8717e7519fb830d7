declare module "write-file-atomic" {
  /** Writes to a temporary file in the same directory, syncs it and renames it. The package has no types. */
  export default function writeFileAtomic(
    filename: string,
    data: string | Uint8Array,
    options?: {
      readonly mode?: number;
      /** Awaited before the data is written. */
      readonly tmpfileCreated?: (temporary: string) => Promise<void>;
    },
  ): Promise<void>;
}
