/** Variables that k6 inherits: those needed to run and to reach the network. */
const inheritedNames = [
  "PATH",
  "HOME",
  "USER",
  "TMPDIR",
  "TEMP",
  "TMP",
  "LANG",
  "TZ",
  "SYSTEMROOT",
  "GOMAXPROCS",
  "GOMEMLIMIT",
  "GODEBUG",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "http_proxy",
  "https_proxy",
  "no_proxy",
] as const;

/** k6 variables for outputs, TLS and name resolution. Any other k6 variable could silently change the load. */
const allowedK6Name = /^K6_(?:WEB_DASHBOARD|OTEL_|PROMETHEUS_RW_|INSECURE_SKIP_TLS_VERIFY$|TLS_|HOSTS$|DNS$)/u;

type Variables = Readonly<Record<string, string | undefined>>;

const isAllowed = (name: string): boolean => !name.startsWith("K6_") || allowedK6Name.test(name);

/**
 * Returns the environment of a k6 process: inherited variables and `overrides`, except k6 settings that would
 * change the load (`K6_VUS`, `K6_DURATION` and so on). Disables k6's usage reports and the download of a different k6.
 */
export const createK6Environment = (
  overrides: Variables,
  parentEnvironment: Variables = process.env,
): NodeJS.ProcessEnv => {
  const environment: NodeJS.ProcessEnv = {};
  for (const name of inheritedNames) {
    if (parentEnvironment[name] !== undefined) {
      environment[name] = parentEnvironment[name];
    }
  }
  for (const [name, value] of Object.entries(overrides)) {
    if (value !== undefined && isAllowed(name)) {
      environment[name] = value;
    }
  }
  environment["K6_NO_USAGE_REPORT"] = "true";
  environment["K6_AUTO_EXTENSION_RESOLUTION"] = "false";
  return environment;
};
