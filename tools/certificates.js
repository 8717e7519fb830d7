import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

const openssl = (args) => void execFileSync("openssl", args, { stdio: "ignore" });

const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];

/** Creates keys and certificates in a folder with openssl; see `certificates.d.ts`. */
export const certificateMaker = (folder) => {
  const file = (name, kind) => join(folder, `${name}.${kind}`);
  return {
    authority(name) {
      const files = ["-keyout", file(name, "key"), "-out", file(name, "pem")];
      openssl(["req", "-x509", ...newKey, "-subj", `/CN=${name}`, "-days", "2", ...files]);
    },
    issue(name, { authority, names, days = 2 }) {
      openssl(["req", ...newKey, "-subj", `/CN=${name}`, "-keyout", file(name, "key"), "-out", file(name, "csr")]);
      const uses = "extendedKeyUsage=serverAuth,clientAuth\n";
      writeFileSync(file(name, "ext"), names === undefined ? uses : `${uses}subjectAltName=${names}\n`);
      const by = ["-CA", file(authority, "pem"), "-CAkey", file(authority, "key"), "-CAcreateserial"];
      const given = ["-in", file(name, "csr"), "-extfile", file(name, "ext"), "-days", String(days)];
      openssl(["x509", "-req", ...given, ...by, "-out", file(name, "pem")]);
    },
    lock(name, passphrase, { traditional = false } = {}) {
      const kind = traditional ? ["ec", "-aes256"] : ["pkcs8", "-topk8", "-v2", "aes-256-cbc"];
      const files = ["-in", file(name, "key"), "-out", file(name, traditional ? "older.key" : "locked.key")];
      openssl([...kind, ...files, "-passout", `pass:${passphrase}`]);
    },
  };
};
