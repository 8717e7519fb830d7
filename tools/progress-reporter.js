const everyMs = 15_000;

const seconds = (ms) => (ms < 90_000 ? `${Math.round(ms / 1000)} s` : `${(ms / 60_000).toFixed(1)} min`);

/** Formats an error. The stack of a test that timed out does not start with its message. */
const textOf = ({ stack = "", message }) => (stack.includes(message) ? stack : `${message}\n${stack}`.trimEnd());

/** Reports progress of a long test run every 15 seconds, and each failed test immediately. */
export default class ProgressReporter {
  #startedAt = Date.now();
  #passed = 0;
  #failed = 0;
  #timer;

  onInit() {
    this.#timer = setInterval(() => this.#tell(), everyMs);
    this.#timer.unref();
  }

  onTestCaseResult(testCase) {
    const { state, errors = [] } = testCase.result();
    this.#passed += state === "passed" ? 1 : 0;
    this.#failed += state === "failed" ? 1 : 0;
    if (state === "failed") {
      this.#say(`failed: ${testCase.fullName}\n${errors.map(textOf).join("\n")}`);
    }
  }

  onTestModuleEnd(module) {
    for (const error of module.errors()) {
      this.#say(`failed: ${module.moduleId}\n${textOf(error)}`);
    }
  }

  onTestRunEnd() {
    clearInterval(this.#timer);
    this.#tell();
  }

  #tell() {
    this.#say(`${this.#passed} passed, ${this.#failed} failed so far, ${seconds(Date.now() - this.#startedAt)}`);
  }

  #say(text) {
    process.stdout.write(`    ${text.replaceAll("\n", "\n    ")}\n`);
  }
}
