// The explorer on a run that another process is training: what it knows so far, and curves that grow.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { openBrowser, until } from "./browser.mjs";
import { examples, serve, tool } from "./live.mjs";

let browser;
let folder;
let training;
let server;
before(async () => {
  browser = await openBrowser();
  folder = mkdtempSync(join(tmpdir(), "greybox-training-"));
  for (const file of ["toy.toml", "toy.csv"]) copyFileSync(join(examples, file), join(folder, file));
});
after(async () => {
  await browser?.close();
  training?.kill("SIGKILL");
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const run = () => join(folder, "run");

// Many more epochs than the test has patience for.
function train() {
  const flags = ["-o", run(), "--epochs", "100000000", "--resume", "--threads", "1"];
  training = spawn("nice", [tool, "train", join(folder, "toy.toml"), ...flags], { stdio: "ignore" });
  return new Promise((resolve) => training.once("exit", resolve));
}

test("curves grow while a training runs, and the page says whose weights it shows", async () => {
  const ended = train();
  while (!existsSync(join(run(), "checkpoint.npz"))) await new Promise((go) => setTimeout(go, 100));
  server = await serve(run());
  const { page, troubles } = await browser.live(server.address, { viewport: { width: 1440, height: 900 } });
  await page.locator('[aria-busy="false"]').waitFor();
  const said = () => page.locator(".progress").innerText();
  const epoch = async () => Number(/epoch (\d+) of 100000000/.exec(await said())?.[1] ?? 0);
  await until(page, async () => (await epoch()) > 0, said);
  assert.match(await said(), /^Training: .* Shown is the network after \d+\.$/);

  await page.getByRole("tab", { name: "Training" }).click();
  const curve = () => page.locator(".training-tab path.line-1").first().getAttribute("d");
  const [first, begun] = [await curve(), await epoch()];
  await until(page, async () => (await epoch()) > begun && (await curve()) !== first, said);

  await page.getByLabel("Split").selectOption("train");
  await page.getByText(/^All \d+ train windows/).waitFor();
  training.kill("SIGINT");
  await ended;
  const still = /^The training stands still at epoch/;
  await until(page, async () => still.test(await said()), said);
  assert.deepEqual(troubles, []);
});
