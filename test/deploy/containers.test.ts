import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";

const root = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const { version } = JSON.parse(read("package.json"));
const dockerfile = read("deploy/docker/Dockerfile");

/** The instructions of a Dockerfile, those over several lines as one. */
const instructions = dockerfile
  .replace(/^\s*#.*\n/gm, "")
  .replace(/\\\n\s*/g, "")
  .split("\n")
  .filter((line) => line.trim() !== "")
  .map((line) => {
    const [name = "", ...rest] = line.trim().split(/\s+/);
    return { name, value: rest.join(" ") };
  });
const all = (name: string) => instructions.filter((one) => one.name === name).map(({ value }) => value);
const lastStage = instructions.slice(instructions.findLastIndex(({ name }) => name === "FROM"));

/** A tag that names a whole version. */
const pinned = /^[a-z][a-z0-9/-]*:\d+\.\d+(\.\d+)?(-[a-z0-9.]+)?$/;

it("the image is built on pinned, slim images without the name of a registry", () => {
  const images = all("FROM").map((value) => value.replace(/^--platform=\S+ /, "").replace(/ AS \w+$/, ""));
  expect(images).toHaveLength(3);
  for (const image of images) expect(image).toMatch(/^node:\d+\.\d+\.\d+-bookworm-slim$/);
  const { packages } = JSON.parse(read("package-lock.json"));
  expect(new Set(images)).toEqual(new Set([`node:${packages["node_modules/node"].version}-bookworm-slim`]));
});

it("the last stage runs nothing as root, keeps no tools, and is checked while it runs", () => {
  const value = (name: string) => lastStage.find((one) => one.name === name)?.value ?? "";
  expect(value("USER")).toMatch(/^[1-9]\d{3,}:[1-9]\d{3,}$/); // a number: Kubernetes compares it
  const names = lastStage.map(({ name }) => name);
  expect(names.indexOf("USER")).toBeLessThan(names.indexOf("ENTRYPOINT"));
  for (const { name, value: text } of lastStage) if (name === "RUN") expect(text).not.toMatch(/npm|apt|curl|sudo/);
  expect(JSON.parse(value("ENTRYPOINT"))[0]).toBe("node"); // no shell, which would keep signals from it
  expect(JSON.parse(value("CMD"))[0]).toBe("serve");
  expect(value("HEALTHCHECK")).toMatch(/--interval=\S+ --timeout=\S+ --start-period=\S+ --retries=\d+ CMD \["node"/);
  expect(value("HEALTHCHECK")).toContain("/health/live");
  expect(value("WORKDIR")).toMatch(/^\//);
});

it("nothing is fetched by ADD, a pipe or a floating version, and no secret is an ARG or ENV", () => {
  expect(all("ADD")).toEqual([]);
  for (const text of all("RUN")) expect(text).not.toMatch(/curl|wget|\| *(ba)?sh|@latest|sudo/);
  for (const text of [...all("ARG"), ...all("ENV")]) expect(text).not.toMatch(/secret|token|password|key/i);
});

it("the packages beside tollgate are those of the lock file", () => {
  const { packages } = JSON.parse(read("package-lock.json"));
  const pins = [...dockerfile.matchAll(/^ {4}(@?[a-z][\w./-]*)@(\S+?)(?: \\)?$/gm)];
  expect(pins.map(([, name]) => name)).toEqual([
    "pg",
    "@redis/client",
    "@opentelemetry/api",
    "@opentelemetry/sdk-metrics",
    "@opentelemetry/exporter-prometheus",
  ]);
  for (const [, name, pin] of pins) expect(pin).toBe(packages[`node_modules/${name}`].version);
});

it("the build sees every folder that it is made from", () => {
  const allowed = read("deploy/docker/Dockerfile.dockerignore").match(/(?<=^!).*$/gm) ?? [];
  const prepare = read("scripts/prepare.mjs");
  const folders = readdirSync(root, { withFileTypes: true }).filter((one) => one.isDirectory());
  for (const { name } of folders)
    if (new RegExp(`"${name}"`).test(prepare) && !["node_modules", "dist", ".cache"].includes(name))
      expect(allowed).toContain(name);
  for (const name of ["package.json", "package-lock.json", "scripts", "src", "adapters"])
    expect(allowed).toContain(name);
});

/** What is read of a service here. */
interface ComposeEntry {
  readonly image: string;
  readonly volumes?: readonly string[];
}

it("compose has pinned images, checks before it starts what needs them, and secrets from the environment alone", () => {
  const { services, volumes } = parse(read("deploy/docker/compose.yaml"));
  expect(services.gateway.image).toBe(`tollgate:${version}`);
  for (const [name, service] of Object.entries<ComposeEntry>(services)) {
    expect(service.image).toMatch(pinned);
    for (const mount of service.volumes ?? []) {
      const [source = ""] = mount.split(":");
      if (!source.startsWith(".")) expect(Object.keys(volumes)).toContain(source);
    }
    if (name !== "gateway") {
      expect(service).toHaveProperty("healthcheck.test");
      expect(services.gateway.depends_on[name]).toEqual({ condition: "service_healthy" });
    }
  }
  for (const [name, value] of Object.entries<string>(services.gateway.environment))
    if (/SECRET|KEY|DATABASE/.test(name)) expect(value).toMatch(/\$\{[A-Z_]+/);
  expect(services.redis.command).toContain("noeviction");
  const { command } = services.gateway;
  const seconds = (option: string) => Number.parseInt(command[command.indexOf(option) + 1], 10);
  const stop = Number.parseInt(services.gateway.stop_grace_period, 10);
  expect(stop).toBeGreaterThan(seconds("--drain-delay") + seconds("--grace"));
});

it("the chart is of this version, and systemd waits longer than the gateway takes to stop", () => {
  const chart = parse(read("deploy/helm/tollgate/Chart.yaml"));
  expect([chart.version, chart.appVersion]).toEqual([version, version]);
  const unit = read("deploy/systemd/tollgate.service");
  const number = (pattern: RegExp) => Number(pattern.exec(unit)?.[1]);
  const stops = number(/--drain-delay (\d+)s/) + number(/--grace (\d+)s/);
  expect(number(/^TimeoutStopSec=(\d+)$/m)).toBeGreaterThan(stops);
  expect(number(/^LimitNOFILE=(\d+)$/m)).toBeGreaterThanOrEqual(65_536);
});

it("no file of the deployment names the host of a registry", () => {
  const files = readdirSync(join(root, "deploy"), { recursive: true, withFileTypes: true }).filter((one) =>
    one.isFile(),
  );
  for (const { parentPath, name } of files) {
    const text = readFileSync(join(parentPath, name), "utf8");
    expect(text).not.toMatch(/\b(docker|ghcr|quay|gcr|npmjs|registry)\.(io|org|com|dev)\b/);
  }
});
