/** Creates keys and certificates for a test. */
export interface CertificateMaker {
  /** Creates a self-signed authority: `NAME.key`, `NAME.pem`. */
  authority(name: string): void;
  /** Creates a certificate for servers and clients: `NAME.key`, `NAME.pem`. `names` are values such as `IP:127.0.0.1`. `days` [2] may be negative. */
  issue(name: string, options: { readonly authority: string; readonly names?: string; readonly days?: number }): void;
  /** Encrypts a key: `NAME.locked.key`, or `NAME.older.key` in the format before PKCS #8. */
  lock(name: string, passphrase: string, options?: { readonly traditional?: boolean }): void;
}

export declare const createCertificateMaker: (folder: string) => CertificateMaker;
