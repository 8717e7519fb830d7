/** Which continuous integration a file is written for. */
export const ciNames = ["github", "gitlab", "none"] as const;
export type CiName = (typeof ciNames)[number];

/** What stands in for the repository of Assay and a commit of it, where nobody has said them. */
export const assayPlaceholder = "OWNER/assay@COMMIT";

/** What the file of a pipeline depends on. */
export interface CiSettings {
  /** Repository and commit of Assay, `OWNER/NAME@COMMIT`. */
  readonly assay: string;
  /** Path of the configuration from the root of the repository; undefined where it lies there. */
  readonly config?: string;
}

const isPlaceholder = (assay: string): boolean => assay === assayPlaceholder;

/** A text in quotes that YAML, and the expressions of GitHub and the variables of GitLab, leave as it is. */
const quoted = (text: string): string => JSON.stringify(text);

function githubText({ assay, config }: CiSettings): string {
  const [repository = "", commit = ""] = assay.split("@");
  const replace = isPlaceholder(assay)
    ? "#\n# Replace OWNER/assay by the repository that Assay lies in, and COMMIT by the 40 digits of a commit of it.\n"
    : "";
  return `# Gates every pull request, and main, on the target "staging" of the configuration of Assay.
# Set the secret STAGING_TOKEN of this repository to an access token of that instance; the gate reads it from ASSAY_TOKEN.
${replace}name: assay

on:
  pull_request:
  push:
    branches: [main]

permissions: {}

jobs:
  gate:
    permissions:
      contents: read
    uses: ${repository}/.github/workflows/gate.yml@${commit}${isPlaceholder(assay) ? " # replace OWNER and COMMIT" : ""}
    with:
      target: staging
      # Workflows with the same name here wait for each other, however they name the instance.
      concurrency-group: staging
${config === undefined ? "" : `      config: ${quoted(config)}\n`}      # A pull request from a fork is given no secrets: it says \`not-gated\`, and the target is not asked anything. On main a missing
      # token is a mistake.
      require-credentials: \${{ github.event_name == 'push' }}
    secrets:
      token: \${{ secrets.STAGING_TOKEN }}
`;
}

function gitlabText({ assay, config }: CiSettings): string {
  const [repository = "", commit = ""] = assay.split("@");
  const named = config === undefined ? "" : ' --config "$ASSAY_CONFIG_FILE"';
  const variable = config === undefined ? "" : `    ASSAY_CONFIG_FILE: ${quoted(config.replaceAll("$", () => "$$"))}\n`;
  return `# Gates every merge request, and the default branch, on the target "staging" of the configuration of Assay.
# Set the variable ASSAY_TOKEN, masked and protected, to an access token of that instance.
# Where it is not given, as in merge requests from forks, the job ends as a warning and never as a success.
assay:
  image: node:22-bookworm
  stage: test
  timeout: 30 minutes
  interruptible: false
  # Runs on one target wait for each other, whichever merge request they come from.
  resource_group: assay-staging
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
  variables:
    # ${isPlaceholder(assay) ? "Replace both: where Assay lies, and the 40 digits of a commit of it." : "Where Assay lies, and which commit of it."}
    ASSAY_REPOSITORY: "https://github.com/${repository}"
    ASSAY_COMMIT: "${commit}"
${variable}  before_script:
    - git init -q /opt/assay
    - git -C /opt/assay fetch -q --depth 1 "$ASSAY_REPOSITORY" "$ASSAY_COMMIT"
    - git -C /opt/assay checkout -q FETCH_HEAD
    - (unset ASSAY_TOKEN && cd /opt/assay && npm ci --ignore-scripts --include=dev && npm run -s build)
  script:
    - |
      if [ -z "\${ASSAY_TOKEN:-}" ]; then
        echo "NOT RUN AGAINST STAGING: no credentials. Nothing was learned about it."
        exit 99
      fi
      node /opt/assay/packages/cli/bin/assay.js${named} run --target staging --out assay-run
  # A warning, and not a success. Every other exit code but 0 fails the job; they are listed in the README of Assay.
  allow_failure:
    exit_codes: [99]
  artifacts:
    when: always
    expire_in: 2 weeks
    paths:
      - assay-run
    reports:
      junit: assay-run/junit.xml
`;
}

/** A file of a pipeline. */
export interface CiFile {
  /** From the root of the repository. */
  readonly path: string;
  readonly text: string;
  /** What else has to be done for it to run, sentences. */
  readonly next: readonly string[];
}

const replacing = (assay: string): readonly string[] =>
  isPlaceholder(assay) ? ["replace OWNER and COMMIT in it by where Assay lies"] : [];

/** The file that gates on the target `staging`; undefined for none. */
export function ciFile(ci: CiName, settings: CiSettings): CiFile | undefined {
  switch (ci) {
    case "none":
      return undefined;
    case "github":
      return {
        path: ".github/workflows/assay.yml",
        text: githubText(settings),
        next: [...replacing(settings.assay), "set the secret STAGING_TOKEN of the repository"],
      };
    case "gitlab":
      return {
        path: ".gitlab/assay.gitlab-ci.yml",
        text: gitlabText(settings),
        next: [
          ...replacing(settings.assay),
          "add to .gitlab-ci.yml: include: [{ local: .gitlab/assay.gitlab-ci.yml }]",
          "set the variable ASSAY_TOKEN of the project, masked and protected",
        ],
      };
  }
}
