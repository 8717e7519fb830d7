import { createChecker } from "@assay/reading";
import { ExchangeRecordShape } from "../exchange.ts";
import { FooterShape, KnownFailureFilesShape, ManifestShape } from "./bundle-files.ts";

/** The shapes of the parts of a recording, by the name of their checker. */
export const checkedShapes = {
  recordChecker: ExchangeRecordShape,
  manifestChecker: ManifestShape,
  footerChecker: FooterShape,
  knownFailuresChecker: KnownFailureFilesShape,
};

// A later version may add members.
const allowsUnknownMembers = true;

// `tools/bundle-command.js` replaces this module with generated code, so that the bundled command reads and writes recordings without a
// schema compiler.
export const recordChecker = createChecker(checkedShapes.recordChecker, { allowsUnknownMembers });
export const manifestChecker = createChecker(checkedShapes.manifestChecker, { allowsUnknownMembers });
export const footerChecker = createChecker(checkedShapes.footerChecker, { allowsUnknownMembers });
export const knownFailuresChecker = createChecker(checkedShapes.knownFailuresChecker, { allowsUnknownMembers });
