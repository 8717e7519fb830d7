import { tool } from "../version.ts";

/** Supported CI systems. */
export const ciNames = ["github", "gitlab", "none"] as const;
export type CiName = (typeof ciNames)[number];

/** Settings of a pipeline file. */
export interface CiSettings {
  /** Repository and commit of the gate action, `OWNER/NAME@REF`. Default: plain steps that install the package. */
  readonly action?: string;
  /** Path of the configuration file, relative to the repository root. Undefined if it is in the root. */
  readonly config?: string;
  /**
   * Argument of `npm install`: a tarball path relative to the repository root, a version, or a URL. If undefined, the
   * file leaves the variable empty for the user to set.
   */
  readonly packageSpec?: string;
}

/** Quotes text as a YAML string. Does not escape `$` or `${{`. */
const quoteForYaml = (text: string): string => JSON.stringify(text);

const tarballName = `${tool.name}-${tool.version}.tgz`;

/** The comment above the variable. There is no default package name: Assay is not on npm, so anyone could register that name. */
const packageComment = `The package for \`npm install\`: the Assay tarball in this repository, such as ./${tarballName}, or its URL.`;

/** Fails the job if the variable is empty, before anything is installed. */
const packageCheck = `if [ -z "$ASSAY_PACKAGE" ]; then echo "Set ASSAY_PACKAGE in this file to the Assay tarball, such as ./${tarballName}." >&2; exit 2; fi`;

const listPackageSteps = (packageSpec: string | undefined): readonly string[] =>
  packageSpec === undefined
    ? [`set ASSAY_PACKAGE to the Assay tarball in this repository, such as ./${tarballName}`]
    : packageSpec.startsWith(".")
      ? [`commit ${packageSpec}, which the job installs`]
      : [];

const githubHeader = `# Tests the target "staging" of the Assay configuration for every pull request and every push to main.
# Set the repository secret STAGING_TOKEN to an access token for that instance. The gate receives it as ASSAY_TOKEN.
name: assay

on:
  pull_request:
  push:
    branches: [main]

permissions: {}

jobs:
  gate:
    permissions:
      contents: read
`;

function createActionWorkflow(action: string, config: string | undefined): string {
  const [repository = "", ref = ""] = action.split("@");
  return `${githubHeader}    uses: ${repository}/.github/workflows/gate.yml@${ref}
    with:
      target: staging
      # Workflows with the same concurrency group wait for each other, even if they name the instance differently.
      concurrency-group: staging
${config === undefined ? "" : `      config: ${quoteForYaml(config)}\n`}      # Pull requests from forks cannot read secrets. They report \`not-gated\` and send no requests. On main, a missing token is an error.
      require-credentials: \${{ github.event_name == 'push' }}
    secrets:
      token: \${{ secrets.STAGING_TOKEN }}
`;
}

function createStepsWorkflow({ config, packageSpec = "" }: CiSettings): string {
  const variableLine = config === undefined ? "" : `      ASSAY_CONFIG_FILE: ${quoteForYaml(config)}\n`;
  const configFlag = config === undefined ? "" : ' --config "$ASSAY_CONFIG_FILE"';
  return `${githubHeader}    runs-on: ubuntu-24.04
    timeout-minutes: 30
    # Runs on one instance wait for each other.
    concurrency:
      group: assay-target-staging
      cancel-in-progress: false
    env:
      # ${packageComment}
      ASSAY_PACKAGE: ${quoteForYaml(packageSpec)}
${variableLine}    steps:
      - uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1
        with:
          persist-credentials: false
      - uses: actions/setup-node@820762786026740c76f36085b0efc47a31fe5020 # v7.0.0
        with:
          node-version: "22"
      - uses: actions/cache@55cc8345863c7cc4c66a329aec7e433d2d1c52a9 # v6.1.0
        with:
          path: ~/.npm
          key: assay-\${{ runner.os }}-\${{ runner.arch }}-\${{ env.ASSAY_PACKAGE }}
      - name: Install Assay
        run: |
          ${packageCheck}
          npm install --prefix "$RUNNER_TEMP/assay" --ignore-scripts --prefer-offline --no-audit --no-fund "$ASSAY_PACKAGE"
      - name: Gate
        env:
          ASSAY_TOKEN: \${{ secrets.STAGING_TOKEN }}
        # The Assay README lists the exit codes. Pull requests from forks cannot read secrets: they end with a warning and send no requests.
        # On main, a missing token is an error. The run writes its own annotations and job summary.
        run: |
          if [ -z "$ASSAY_TOKEN" ] && [ "$GITHUB_EVENT_NAME" = pull_request ]; then
            echo "::warning title=Assay::not gated: this pull request has no access to the token, so staging was not tested"
            exit 0
          fi
          "$RUNNER_TEMP/assay/node_modules/.bin/assay"${configFlag} run --target staging --wait-for 300 --out "$RUNNER_TEMP/assay-run"
      - uses: actions/upload-artifact@043fb46d1a93c77aae656e7c1c64a875d1fc6a0a # v7.0.1
        if: always()
        with:
          name: assay-run
          path: \${{ runner.temp }}/assay-run
          if-no-files-found: ignore
`;
}

function createGitlabPipeline({ config, packageSpec = "" }: CiSettings): string {
  const configFlag = config === undefined ? "" : ' --config "$ASSAY_CONFIG_FILE"';
  const variableLine =
    config === undefined ? "" : `    ASSAY_CONFIG_FILE: ${quoteForYaml(config.replaceAll("$", () => "$$"))}\n`;
  return `# Tests the target "staging" of the Assay configuration for every merge request and on the default branch.
# Set the masked, protected project variable ASSAY_TOKEN to an access token for that instance.
# Without it, as in merge requests from forks, the job ends with a warning instead of passing.
assay:
  image: node:22-bookworm
  stage: test
  timeout: 30 minutes
  interruptible: false
  # Runs on one target wait for each other, even from different merge requests.
  resource_group: assay-staging
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
  variables:
    # ${packageComment}
    ASSAY_PACKAGE: ${quoteForYaml(packageSpec.replaceAll("$", () => "$$"))}
${variableLine}  cache:
    key: assay-$ASSAY_PACKAGE
    paths:
      - .npm-assay
  before_script:
    - ${packageCheck}
    - (unset ASSAY_TOKEN && npm install --prefix /opt/assay --cache .npm-assay --ignore-scripts --prefer-offline --no-audit --no-fund "$ASSAY_PACKAGE")
  script:
    - |
      if [ -z "\${ASSAY_TOKEN:-}" ]; then
        echo "Staging was not tested: ASSAY_TOKEN is not set."
        exit 99
      fi
      code=0
      /opt/assay/node_modules/.bin/assay${configFlag} run --target staging --wait-for 300 --out assay-run || code=$?
      /opt/assay/node_modules/.bin/assay report assay-run --out assay-run/gl-code-quality-report.json || true
      exit "$code"
  # Exit code 99 is shown as a warning. Any other code except 0 fails the job. The Assay README lists the codes.
  allow_failure:
    exit_codes: [99]
  artifacts:
    when: always
    expire_in: 2 weeks
    paths:
      - assay-run
    reports:
      junit: assay-run/junit.xml
      codequality: assay-run/gl-code-quality-report.json
`;
}

/** A generated pipeline file. */
export interface CiFile {
  /** Path relative to the repository root. */
  readonly path: string;
  readonly text: string;
  /** Further steps for the user, as imperative clauses without a capital or period. */
  readonly nextSteps: readonly string[];
}

/** Returns the file that gates on the target `staging`, or undefined for `none`. */
export function createCiFile(ci: CiName, settings: CiSettings): CiFile | undefined {
  const { action, config, packageSpec } = settings;
  switch (ci) {
    case "none":
      return undefined;
    case "github":
      return {
        path: ".github/workflows/assay.yml",
        text: action === undefined ? createStepsWorkflow(settings) : createActionWorkflow(action, config),
        nextSteps: [
          "add the repository secret STAGING_TOKEN",
          ...(action === undefined ? listPackageSteps(packageSpec) : []),
        ],
      };
    case "gitlab":
      return {
        path: ".gitlab/assay.gitlab-ci.yml",
        text: createGitlabPipeline(settings),
        nextSteps: [
          "add to .gitlab-ci.yml: include: [{ local: .gitlab/assay.gitlab-ci.yml }]",
          "add the masked, protected project variable ASSAY_TOKEN",
          ...listPackageSteps(packageSpec),
        ],
      };
  }
}
