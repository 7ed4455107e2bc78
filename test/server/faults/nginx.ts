import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { vi } from "vitest";
import { freePort } from "../../support/free-port.ts";
import { installPackages } from "../../support/packages.ts";
import type { Fleet } from "./gateways.ts";

/** A server in front of gateways. */
export interface NginxServer {
  readonly port: number;
  stop(): void;
}

/** nginx in front of the gateways, as `docs/operations-guide.md` sets it up. */
export async function startNginx({ folder, ports }: Fleet): Promise<NginxServer> {
  installPackages("nginx");
  const port = await freePort();
  const servers = ports.map((each) => `server 127.0.0.1:${each} max_fails=0;`).join(" ");
  const file = join(folder, "nginx.conf");
  writeFileSync(
    file,
    `pid ${folder}/nginx.pid; error_log ${folder}/nginx.log; daemon off; worker_processes 1; events {}
http {
  access_log off; client_body_temp_path ${folder}/b; proxy_temp_path ${folder}/p; fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
  upstream tollgate { ${servers} keepalive 64; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://tollgate; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host $host;
      proxy_buffering off; proxy_request_buffering off;
    }
  }
}`,
  );
  const nginx = spawn("nginx", ["-c", file], { stdio: "ignore", env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" } });
  await vi.waitFor(() => fetch(`http://127.0.0.1:${port}/health`), { timeout: 10_000 });
  return { port, stop: () => void nginx.kill("SIGTERM") };
}
