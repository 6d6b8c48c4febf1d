// One Chromium for the tests, and pages in it that record whatever should not happen.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { pageWith } from "./sample/reports.mjs";

const executables = [
  process.env.CHROMIUM,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];
const flags = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export async function openBrowser() {
  const executablePath = executables.find((path) => path && existsSync(path));
  if (!executablePath)
    throw new Error(
      "no Chromium: scripts/install-dependencies.sh --tests installs one; CHROMIUM names another",
    );
  const browser = await chromium.launch({ executablePath, args: flags });
  const folder = mkdtempSync(join(tmpdir(), "greybox-page-"));
  return {
    /** Opens a report; `troubles` collects errors of the console and requests that leave the page. */
    async open(report, options = {}) {
      const file = join(folder, "report.html");
      writeFileSync(file, pageWith(report));
      const context = await browser.newContext(options);
      context.setDefaultTimeout(60000);
      const page = await context.newPage();
      const troubles = [];
      page.on(
        "console",
        (message) => ["error", "warning"].includes(message.type()) && troubles.push(message.text()),
      );
      page.on("pageerror", (error) => troubles.push(String(error)));
      page.on(
        "request",
        (request) => /^(file|data|blob):/.test(request.url()) || troubles.push(request.url()),
      );
      await page.goto(pathToFileURL(file).href);
      await page.evaluate(() => document.fonts.ready);
      return { page, troubles };
    },
    async close() {
      await browser.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
