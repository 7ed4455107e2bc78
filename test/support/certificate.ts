import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installPackages } from "./packages.ts";

/** Files of a server's certificate for localhost, and of the authority that signed it, which nobody knows. */
export interface Certificate {
  /** Holds all of them. */
  readonly folder: string;
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
}

/** Makes an authority and a certificate; installs openssl first where it is missing and this machine lets us. */
export function makeCertificate(): Certificate {
  if (spawnSync("openssl", ["version"]).error) installPackages("openssl");
  const folder = mkdtempSync(join(tmpdir(), "tollgate-certificate-"));
  chmodSync(folder, 0o755);
  const file = (name: string) => join(folder, name);
  const request = ["req", "-newkey", "rsa:2048", "-nodes"];
  run("openssl", ...request, "-x509", "-subj", "/CN=nobody", "-keyout", file("ca.key"), "-out", file("ca.pem"));
  run("openssl", ...request, "-subj", "/CN=localhost", "-keyout", file("key.pem"), "-out", file("request.pem"));
  writeFileSync(file("names"), "subjectAltName=DNS:localhost,DNS:vendor.test,IP:127.0.0.1");
  const signer = ["-CA", file("ca.pem"), "-CAkey", file("ca.key"), "-CAcreateserial", "-extfile", file("names")];
  run("openssl", "x509", "-req", "-in", file("request.pem"), ...signer, "-out", file("server.pem"));
  return { folder, authority: file("ca.pem"), certificate: file("server.pem"), key: file("key.pem") };
}

function run(program: string, ...args: string[]): void {
  const { status, stderr, error } = spawnSync(program, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} ${args[0]}: ${error ?? stderr.slice(-500)}`);
}
