import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

const runOpenssl = (args) => void execFileSync("openssl", args, { stdio: "ignore" });

const newKeyArgs = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];

/** Creates keys and certificates in a folder with openssl; see `certificates.d.ts`. */
export const createCertificateMaker = (folder) => {
  const file = (name, kind) => join(folder, `${name}.${kind}`);
  return {
    authority(name) {
      const files = ["-keyout", file(name, "key"), "-out", file(name, "pem")];
      runOpenssl(["req", "-x509", ...newKeyArgs, "-subj", `/CN=${name}`, "-days", "2", ...files]);
    },
    issue(name, { authority, names, days = 2 }) {
      runOpenssl([
        "req",
        ...newKeyArgs,
        "-subj",
        `/CN=${name}`,
        "-keyout",
        file(name, "key"),
        "-out",
        file(name, "csr"),
      ]);
      const keyUsages = "extendedKeyUsage=serverAuth,clientAuth\n";
      writeFileSync(file(name, "ext"), names === undefined ? keyUsages : `${keyUsages}subjectAltName=${names}\n`);
      const issuerArgs = ["-CA", file(authority, "pem"), "-CAkey", file(authority, "key"), "-CAcreateserial"];
      const requestArgs = ["-in", file(name, "csr"), "-extfile", file(name, "ext"), "-days", String(days)];
      runOpenssl(["x509", "-req", ...requestArgs, ...issuerArgs, "-out", file(name, "pem")]);
    },
    lock(name, passphrase, { traditional = false } = {}) {
      const kind = traditional ? ["ec", "-aes256"] : ["pkcs8", "-topk8", "-v2", "aes-256-cbc"];
      const files = ["-in", file(name, "key"), "-out", file(name, traditional ? "older.key" : "locked.key")];
      runOpenssl([...kind, ...files, "-passout", `pass:${passphrase}`]);
    },
  };
};
