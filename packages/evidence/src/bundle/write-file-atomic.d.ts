declare module "write-file-atomic" {
  /** Writes to a temporary name next to the file, syncs it and renames it. The package ships no types of its own. */
  export default function writeFileAtomic(
    filename: string,
    data: string | Uint8Array,
    options?: {
      readonly mode?: number;
      /** Waited for before the data is written. */
      readonly tmpfileCreated?: (temporary: string) => Promise<void>;
    },
  ): Promise<void>;
}
