// Bundles the page into one HTML file, and that into a C++ source: node build.mjs [PAGE.html [PAGE.cpp]].
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import subsetFont from "subset-font";

const here = dirname(fileURLToPath(import.meta.url));
const dataMark = "@REPORT_DATA@";
// Compilers promise literals of only 65535 characters.
const maxLiteral = 60000;

function characters(first, last) {
  return String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, k) => first + k));
}

// What equations are made of: Latin and Greek, upright and as mathematical italics, operators and accents.
const mathCharacters = [
  characters(0x20, 0x7e),
  characters(0x391, 0x3c9),
  characters(0x1d434, 0x1d467),
  characters(0x1d6e2, 0x1d71b),
  "ℎ𝔼ℝ·×±°∇∂√∑∏∫≤≥≠≈⟨⟩‖∥−⋅∗…′∞→←∈⌊⌋⌈⌉¯˜ˆ˙¨\u0307\u0308",
].join("");

// A whole font of mathematics is as large as the rest of the page.
const smallMathFont = {
  name: "small-math-font",
  setup({ onLoad }) {
    onLoad({ filter: /stix-two-math.*\.woff2$/ }, async ({ path }) => ({
      contents: await subsetFont(readFileSync(path), mathCharacters, { targetFormat: "woff2" }),
      loader: "dataurl",
    }));
  },
};

async function bundle(entry) {
  const result = await build({
    entryPoints: [resolve(here, "src", entry)],
    bundle: true,
    minify: true,
    write: false,
    legalComments: "none",
    target: ["chrome123", "firefox120", "safari17.5"],
    format: "iife",
    loader: { ".woff2": "dataurl" },
    plugins: [smallMathFont],
    logLevel: "warning",
  });
  return result.outputFiles[0].text.trim();
}

// Only this script may run, and nothing may be fetched: a report is safe to open wherever it comes from.
function contentPolicy(script) {
  const hash = createHash("sha256").update(script).digest("base64");
  return [
    "default-src 'none'",
    `script-src 'sha256-${hash}'`,
    "style-src 'unsafe-inline'",
    "font-src data:",
    "img-src data: blob:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

function fill(template, values) {
  return template.replace(/@([A-Z_]+)@/g, (mark, name) => values[name] ?? mark);
}

function rawLiterals(text) {
  const literals = [];
  for (let begin = 0; begin < text.length; begin += maxLiteral) {
    const piece = text.slice(begin, begin + maxLiteral);
    // With its length, which a compiler would count for longer than it allows.
    literals.push(`    {R"~~~~(${piece})~~~~", ${Buffer.byteLength(piece)}}`);
  }
  return literals.join(",\n");
}

function cppSource(page) {
  if (page.includes(")~~~~")) throw new Error("the page contains the end mark of the C++ literals");
  const [before, after] = page.split(dataMark);
  return `// The report page up to and from the place of its data, cut into literals that compilers accept.
#include "report/html_page.hpp"

namespace greybox {

namespace {

constexpr std::string_view kBefore[] = {
${rawLiterals(before)}};

constexpr std::string_view kAfter[] = {
${rawLiterals(after)}};

}  // namespace

const std::span<const std::string_view> kPageBeforeData = kBefore;
const std::span<const std::string_view> kPageAfterData = kAfter;

}  // namespace greybox
`;
}

function write(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const [pageFile = resolve(here, "dist/page.html"), cppFile] = process.argv.slice(2);
const script = await bundle("main.ts");
const style = await bundle("style/page.css");
const template = readFileSync(resolve(here, "src/page.html"), "utf8");
const page = fill(template, { SCRIPT: script, STYLE: style, POLICY: contentPolicy(script) });
write(pageFile, page);
if (cppFile) write(cppFile, cppSource(page));
