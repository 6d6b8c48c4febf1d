// The explorer's server: whom it answers, and what it says when asked wrongly.
import assert from "node:assert/strict";
import { request } from "node:http";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { execFileSync } from "node:child_process";
import { ask, makeRun, serve, tool } from "./live.mjs";

let made;
let server;
before(async () => {
  made = makeRun("toy", 60);
  server = await serve(made.run);
});
after(async () => {
  await server.stop();
  made.remove();
});

const here = { theta: { a: 1, c: 0 } };

// fetch sets these headers itself.
function raw(method, path, headers, body = "") {
  const { hostname, port } = new URL(server.address);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, method, path, headers, setHost: false }, (response) => {
      let text = "";
      response.on("data", (part) => (text += part));
      response.on("end", () =>
        resolve({ status: response.statusCode, headers: response.headers, body: text }),
      );
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

test("the page comes with its policy, and only under its secret", async () => {
  const { host, pathname } = new URL(server.address);
  assert.match(pathname, /^\/[0-9a-f]{32}\/$/);
  assert.match(host, /^127\.0\.0\.1:/);
  const page = await raw("GET", pathname, { Host: host });
  assert.equal(page.status, 200);
  const policy = page.headers["content-security-policy"];
  assert.match(policy, /default-src 'none'; connect-src 'self'; script-src 'sha256-/);
  assert.match(policy, /frame-ancestors 'none'/);
  assert.equal(page.headers["cache-control"], "no-store");
  assert.ok(page.body.includes("connect-src 'self'"));
  for (const path of [
    "/",
    "/0123456789abcdef0123456789abcdef/",
    pathname.slice(0, -2) + "/",
    "/favicon.ico",
  ]) {
    const answer = await raw("GET", path, { Host: host });
    assert.equal(answer.status, 403, path);
    assert.match(answer.body, /open the whole address/);
  }
});

test("pages of other sites and other names of this machine get nothing", async () => {
  const { host, port, pathname } = new URL(server.address);
  const json = { "Content-Type": "application/json" };
  const body = JSON.stringify({ client: "x", sequence: 1, ...here });
  const status = async (headers) =>
    (await raw("POST", `${pathname}evaluate`, { ...json, "Content-Length": body.length, ...headers }, body))
      .status;
  assert.equal(await status({ Host: host }), 200);
  assert.equal(await status({ Host: host, Origin: `http://${host}` }), 200);
  assert.equal(await status({ Host: `localhost:${port}`, Origin: `http://localhost:${port}` }), 200);
  assert.equal(await status({ Host: host, Origin: "http://evil.example" }), 403);
  assert.equal(await status({ Host: host, Origin: "null" }), 403);
  assert.equal(await status({ Host: `evil.example:${port}` }), 403);
  assert.equal(await status({ Host: "evil.example" }), 403);
  assert.equal(await status({ Host: host, "Content-Type": "text/plain" }), 415);
});

test("wrong questions get a message", async () => {
  const said = async (name, question, expected, pattern) => {
    const { status, body } = await ask(server.address, name, question);
    assert.equal(status, expected, body);
    assert.match(JSON.parse(body.split("\n")[0]).error, pattern);
  };
  await said("evaluate", "{", 400, /not valid JSON/);
  await said("evaluate", "[1]", 400, /not an object/);
  await said("evaluate", { theta: { a: 1 } }, 400, /c/);
  await said("evaluate", { theta: { a: 1, c: "x" } }, 400, /not a number/);
  await said("evaluate", { ...here, split: "test" }, 400, /locked/);
  await said("evaluate", { ...here, split: "tset" }, 400, /tset/);
  await said("means", { expression: "mean(netwrk)" }, 400, /netwrk/);
  await said("scan", { ...here, axes: [5] }, 200, /one or two/);
  await said("nothing", here, 404, /no question/);
  await said("evaluate", { ...here, client: "x".repeat(100_000) }, 413, /too long/);
});

// As the page asks while θ is dragged. What the first ones leave behind is what is kept between two.
test("thousands of drags leave the memory of the server flat", async () => {
  const kilobytes = () =>
    Number(readFileSync(`/proc/${server.pid}/status`, "utf8").match(/VmRSS:\s+(\d+) kB/)[1]);
  const drag = async (n) => {
    for (let k = 0; k < n; ++k) {
      const theta = { a: 1 + Math.sin(k / 20), c: Math.cos(k / 30) };
      const { status } = await ask(server.address, "evaluate", {
        theta,
        quick: true,
        shown: [],
        split: "train",
      });
      assert.equal(status, 200);
    }
  };
  await drag(300);
  const before = kilobytes();
  await drag(Number(process.env.GREYBOX_DRAGS ?? 2000));
  const said = `from ${before} to ${kilobytes()} kB`;
  console.log(said);
  assert.ok(kilobytes() < before + 1024, said);
});

test("answers come as they are, not compressed", async () => {
  const { host, pathname } = new URL(server.address);
  const body = JSON.stringify({ client: "y", sequence: 1, ...here });
  const json = { "Content-Type": "application/json", "Content-Length": body.length };
  const page = await raw("GET", pathname, { Host: host, "Accept-Encoding": "gzip, br" });
  const answer = await raw(
    "POST",
    `${pathname}evaluate`,
    { Host: host, "Accept-Encoding": "gzip, br", ...json },
    body,
  );
  for (const { status, headers } of [page, answer]) {
    assert.equal(status, 200);
    assert.equal(headers["content-encoding"], undefined);
  }
});

test("Ctrl-C ends it with exit code 0, at once", async () => {
  const other = await serve(made.run);
  const begun = performance.now();
  const streaming = ask(other.address, "scan", { ...here, axes: [0, 1] }).catch(() => {});
  await new Promise((go) => setTimeout(go, 30));
  assert.equal(await other.stop(), 0);
  assert.ok(performance.now() - begun < 5000);
  await streaming;
});

test("a port that is taken is said to be", () => {
  const { port } = new URL(server.address);
  assert.throws(
    () => execFileSync(tool, ["explore", made.run, "--no-open", "--port", port], { stdio: "pipe" }),
    (error) => error.status === 1 && /cannot be used/.test(String(error.stderr)),
  );
});

test("a folder that is no run, and a port that is none, are refused", () => {
  const refused = (args, pattern) =>
    assert.throws(
      () => execFileSync(tool, ["explore", ...args, "--no-open"], { stdio: "pipe" }),
      (error) => error.status === 2 && pattern.test(String(error.stderr)),
    );
  refused([`${made.run}/nothing`], /nothing/);
  refused([made.run, "--port", "99999"], /99999|port/);
});
