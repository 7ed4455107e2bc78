import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { root } from "../packed.ts";
import { installPrograms, makeCertificate, run, writeNginx } from "./programs.ts";

const folder = mkdtempSync(join(tmpdir(), "tollgate-deploy-"));
const deploy = join(root, "deploy");
const read = (path: string) => readFileSync(join(deploy, path), "utf8");

beforeAll(installPrograms);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What systemd says of one unit: it loads the machine's other units too, and complains of those that are not ours. */
function verifyUnit(path: string): { readonly status: number | null; readonly complaints: readonly string[] } {
  const { status, output } = run("systemd-analyze", "verify", path);
  return { status, complaints: output.split("\n").filter((line) => line.includes(basename(path))) };
}

it("systemd takes the unit, and finds little to attack it by", () => {
  const unit = join(folder, "tollgate.service");
  writeFileSync(unit, read("systemd/tollgate.service").replace("=/usr/bin/node ", `=${process.execPath} `));
  expect(verifyUnit(unit)).toEqual({ status: 0, complaints: [] });
  const judged = run("systemd-analyze", "security", "--offline=true", "--threshold=20", unit);
  expect(judged.output).toMatch(/Overall exposure level for tollgate.service: \d/);
  expect(judged.status).toBe(0); // at most 2.0 of 10
});

it("systemd says what is wrong with a unit, so that its silence means something", () => {
  const unit = join(folder, "broken.service");
  writeFileSync(
    unit,
    read("systemd/tollgate.service").replace("=/usr/bin/node ", "=/nowhere/node ").replace("Type=exec", "Tipe=exec"),
  );
  const { status, complaints } = verifyUnit(unit);
  expect(status).not.toBe(0);
  expect(complaints.join("\n")).toContain("/nowhere/node");
  expect(complaints.join("\n")).toContain("Tipe");
});

it("the rules of Prometheus are valid, and report what their tests say", () => {
  const rules = join(deploy, "prometheus");
  expect(run("promtool", "check", "rules", join(rules, "rules.yml"))).toMatchObject({ status: 0 });
  const tested = run("promtool", "test", "rules", join(rules, "rules.test.yml"));
  expect(tested).toMatchObject({ status: 0 });
  expect(tested.output).toContain("SUCCESS");
});

it("nginx takes the site", () => {
  const { certificate, key } = makeCertificate(folder);
  const site = read("nginx/tollgate.conf")
    .replace("/etc/ssl/certs/gateway.example.pem", certificate)
    .replace("/etc/ssl/private/gateway.example.key", key);
  const tested = run("nginx", "-t", "-q", "-p", folder, "-c", writeNginx(folder, site));
  expect(tested).toEqual({ status: 0, output: "" });
});

it("Caddy takes its file, which is written as Caddy writes it", () => {
  const file = join(deploy, "caddy", "Caddyfile");
  expect(run("caddy", "validate", "--adapter", "caddyfile", "--config", file)).toMatchObject({ status: 0 });
  expect(run("caddy", "fmt", file).output).toBe(read("caddy/Caddyfile"));
});
