// Pictures of the sample reports at three widths, light and dark: node screenshots.mjs [FOLDER].
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { openBrowser, painted } from "./browser.mjs";
import { samples } from "./sample/reports.mjs";

const folder = process.argv[2] ?? "../dist/screenshots";
mkdirSync(folder, { recursive: true });
const browser = await openBrowser();
for (const [n, make] of Object.entries(samples)) {
  for (const width of [390, 820, 1440]) {
    for (const colorScheme of ["light", "dark"]) {
      const { page } = await browser.open(make(), { viewport: { width, height: 900 }, colorScheme });
      await painted(page);
      const path = join(folder, `${n}-parameters-${width}-${colorScheme}.png`);
      await page.screenshot({ path, fullPage: true });
      console.log(path);
      await page.context().close();
    }
  }
}
await browser.close();
