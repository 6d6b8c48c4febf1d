// Sample reports by the number of their parameters: node reports.mjs 2 PAGE.html writes one with the page around it.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { fourParameters } from "./four_parameters.mjs";
import { oneParameter } from "./one_parameter.mjs";
import { twoParameters } from "./two_parameters.mjs";

export const samples = { 1: oneParameter, 2: twoParameters, 4: fourParameters };
// What CMake has bundled, or `npm run build`.
const pageFile = process.env.GREYBOX_PAGE ?? fileURLToPath(new URL("../../dist/page.html", import.meta.url));

/** The page with the data inside, as the engine writes it. */
export function pageWith(report) {
  const json = JSON.stringify(report).replaceAll("<", "\\u003c");
  return readFileSync(pageFile, "utf8").replace("@REPORT_DATA@", () => json);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [nParameters, file] = process.argv.slice(2);
  writeFileSync(file, pageWith(samples[nParameters]()));
}
