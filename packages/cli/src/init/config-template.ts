import { placeholderUrls } from "../config/file-targets.ts";

/** Formats of the configuration file, by extension. */
export const configFormats = ["ts", "js", "json"] as const;
export type ConfigFormat = (typeof configFormats)[number];

const [stagingUrl, productionUrl] = placeholderUrls;

const scriptTemplate = `import { defineConfig } from "assay";

// Settings of Assay for this repository. Precedence: flag, environment variable (--profile is ASSAY_PROFILE), target, section of the
// command, default. \`assay config\` prints each value and its source.
//
// Never write a token here. Assay reads it from ASSAY_TOKEN, else from SRC_ACCESS_TOKEN, or from the variable that a target names.
export default defineConfig({
  // Target used if --target is not set. Set it after \`targets.staging.url\`; until then these commands test the embedded server.
  // defaultTarget: "staging",
  targets: {
    staging: {
      // Replace this placeholder with the address of your instance.
      url: "${stagingUrl}",
      // "private": the run fails if the instance answers without a token. "public": it fails if it does not.
      access: "private",
      // The pace. "staging": ten requests a second and 25 questions. Without it Assay asks no questions, because questions cost money.
      limits: "staging",
      // A query that finds at least 20 lines on your instance.
      query: "test count:200",
      // Failures that do not fail the run. "field" is included in Assay: differences of real instances from the specifications. Add files of
      // your own: ["field", "known-failures.txt"]. \`assay accept\` writes them.
      knownFailures: "field",
      // Whether read tokens work for other users: "on" or "off".
      // sharing: "on",
      // The variable that contains the token of this target. The workflow passes the secret as ASSAY_TOKEN.
      // tokenVariable: "ASSAY_TOKEN",
      // The variables of further tokens, used to test other users, scopes and quotas. Default: all of
      // ASSAY_{OAUTH,OTHER,READ,WRITE,UNSCOPED,UNSCOPED_OAUTH,QUOTA,ENTITLEMENT}_TOKEN.
      // tokens: { other: "ASSAY_OTHER_TOKEN", unscoped: "ASSAY_UNSCOPED_TOKEN" },
      // Allow \`assay load\` on this host.
      // confirmHost: "staging.example.com",
    },
    production: {
      url: "${productionUrl}",
      access: "private",
      // Two requests a second, and no questions unless you allow some.
      limits: "production",
      questions: 5,
      query: "test count:200",
      knownFailures: "field",
    },
  },
  // Flags of \`assay run\`, for every target.
  run: {
    // "smoke", "gate" or "release": which rules are tested, and which are required.
    profile: "gate",
  },
});
`;

const targetDefaults = { access: "private", query: "test count:200", knownFailures: "field" } as const;

const jsonTemplate = {
  targets: {
    staging: { url: stagingUrl, limits: "staging", ...targetDefaults },
    production: { url: productionUrl, limits: "production", questions: 5, ...targetDefaults },
  },
  run: { profile: "gate" },
};

/** The text of a new configuration file. Each member has a comment if the format supports comments. */
export const createConfigText = (format: ConfigFormat): string =>
  format === "json" ? `${JSON.stringify(jsonTemplate, undefined, 2)}\n` : scriptTemplate;
