// Loads modules of the page into node: TypeScript is bundled on the way.
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const { build } = createRequire(new URL("../package.json", import.meta.url))("esbuild");

/** The exports of web/src/PATH. */
export async function load(path) {
  const entry = fileURLToPath(new URL(`../src/${path}`, import.meta.url));
  const result = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: "esm",
    logLevel: "warning",
  });
  const text = Buffer.from(result.outputFiles[0].text).toString("base64");
  return import(`data:text/javascript;base64,${text}`);
}
