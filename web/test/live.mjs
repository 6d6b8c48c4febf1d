// A server of the explorer for the tests: the real tool on a run that is trained once.
import { execFileSync, spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import { openBrowser } from "./browser.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
export const examples = join(root, "examples");
export const tool = process.env.GREYBOX_TOOL ?? join(root, "build/release/greybox");

/** A run of an example, or the folder that GREYBOX_RUNS has of this name. */
export function makeRun(name, epochs) {
  const known = process.env.GREYBOX_RUNS && join(process.env.GREYBOX_RUNS, name);
  if (known && existsSync(known)) return { run: known, remove: () => {} };
  const folder = mkdtempSync(join(tmpdir(), "greybox-live-"));
  for (const file of [`${name}.toml`, `${name}.csv`]) copyFileSync(join(examples, file), join(folder, file));
  const run = join(folder, "run");
  execFileSync(tool, ["train", join(folder, `${name}.toml`), "-o", run, "--epochs", String(epochs)], {
    stdio: "pipe",
  });
  return { run, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Serves until `stop`. */
export async function serve(run) {
  const child = spawn(tool, ["explore", run, "--no-open"], { stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  child.stderr.on("data", (text) => (said += text));
  const address = await new Promise((resolve, reject) => {
    child.stdout.once("data", (text) => resolve(String(text).trim()));
    child.once("exit", (code) => reject(new Error(`greybox explore ended with ${code}: ${said}`)));
  });
  const ended = new Promise((resolve) => child.once("exit", (code, signal) => resolve(signal ?? code)));
  const stop = (signal = "SIGINT") => {
    child.kill(signal);
    return ended;
  };
  return { address, stop, pid: child.pid };
}

/** For the tests of a file: a browser, and a server on a run that is trained for them. */
export function served(name, epochs) {
  const suite = {};
  before(async () => {
    suite.browser = await openBrowser();
    suite.made = makeRun(name, epochs);
    suite.server = await serve(suite.made.run);
  });
  after(async () => {
    await suite.browser?.close();
    await suite.server?.stop();
    suite.made?.remove();
  });
  return suite;
}

let sequence = 0;

/** Asks a question as the page does. */
export async function ask(address, name, question, headers = {}) {
  sequence += 1;
  const response = await fetch(address + name, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: typeof question === "string" ? question : JSON.stringify({ client: "test", sequence, ...question }),
  });
  return { status: response.status, body: await response.text(), headers: response.headers };
}
