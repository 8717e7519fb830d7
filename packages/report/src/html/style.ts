import { baseStyle } from "./style-base.ts";
import { manyColumnsStyle } from "./style-columns.ts";
import { failuresStyle } from "./style-failures.ts";
import { partsStyle } from "./style-parts.ts";

/** Space that only the source needs. */
const packed = (style: string): string => style.replaceAll(/\s*\n\s*/gu, "\n").trim();

/** The one style sheet of a page. The page is known to the browser by its digest, so nothing may be added to it later. */
export const pageStyle = packed(`${baseStyle}${partsStyle}${manyColumnsStyle}${failuresStyle}`);
