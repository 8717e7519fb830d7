import { placeholderUrls } from "../config/file-targets.ts";

/** Formats of the configuration file, by their ending. */
export const configFormats = ["ts", "js", "json"] as const;
export type ConfigFormat = (typeof configFormats)[number];

const [stagingUrl, productionUrl] = placeholderUrls;

const script = `import { defineConfig } from "assay";

// What assay works with in this repository. A flag wins over its variable (--profile is ASSAY_PROFILE), a variable over this file, and
// a target over the section of a command. \`assay config\` shows each value and where it comes from.
//
// No token stands in here: the variable ASSAY_TOKEN, else SRC_ACCESS_TOKEN, holds it, or the one that a target names.
export default defineConfig({
  // The target of commands that name none. Set it once \`targets.staging.url\` is the address of your instance; until then commands
  // without --target use the embedded server.
  // defaultTarget: "staging",
  targets: {
    staging: {
      // The address of your instance; this one is a placeholder.
      url: "${stagingUrl}",
      // Whether it answers without a token: "private" or "public". What is not said is not judged.
      access: "private",
      // How careful to be. "staging": 25 questions, ten requests a second. Without it no question is asked, since questions cost.
      limits: "staging",
      // Something that is found there, so that there is something to judge.
      query: "test count:200",
      // What is known to fail and is not to fail the run. "field" is included: where real instances differ from the words of the
      // documents. Files of your own stand beside it, by their paths: ["field", "known-failures.txt"]
      knownFailures: "field",
      // Whether read tokens work for others: "on" or "off".
      // sharing: "on",
      // The variable with its token, which then gets no other one. A workflow gives the secret as ASSAY_TOKEN, whatever it is called.
      // tokenVariable: "ASSAY_TOKEN",
      // Further tokens, each by the name of a variable: they show what others may see, scopes and quotas. Without this line all of
      // ASSAY_{OAUTH,OTHER,READ,UNSCOPED,QUOTA,ENTITLEMENT}_TOKEN are looked for, and that is how a workflow gives them.
      // tokens: { other: "ASSAY_OTHER_TOKEN", unscoped: "ASSAY_UNSCOPED_TOKEN" },
      // A host that \`assay load\` may put load on.
      // confirmHost: "staging.example.com",
    },
    production: {
      url: "${productionUrl}",
      access: "private",
      // Two requests a second, and as few questions as you say.
      limits: "production",
      questions: 5,
      query: "test count:200",
      knownFailures: "field",
    },
  },
  // Flags of \`assay run\`, whatever the target is.
  run: {
    // Which rules are judged, and which of them have to be seen: "smoke", "gate" or "release".
    profile: "gate",
  },
});
`;

const target = { access: "private", query: "test count:200", knownFailures: "field" } as const;

const json = {
  targets: {
    staging: { url: stagingUrl, limits: "staging", ...target },
    production: { url: productionUrl, limits: "production", questions: 5, ...target },
  },
  run: { profile: "gate" },
};

/** The text of a first configuration file, with a comment at each member where the format has comments. */
export const configText = (format: ConfigFormat): string =>
  format === "json" ? `${JSON.stringify(json, undefined, 2)}\n` : script;
