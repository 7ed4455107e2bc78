// Raises the versions of the dashboards whose definitions have changed: node scripts/dashboards.ts
import { hash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { dashboardRows } from "../src/portal/dashboard-catalogue/catalogue.ts";
import { dashboardVersions } from "../src/portal/dashboard-catalogue/versions.ts";
import { defineDashboard } from "../src/portal/dashboards/definition.ts";
import { allPermissions } from "../src/portal/permissions.ts";

const file = new URL("../src/portal/dashboard-catalogue/versions.ts", import.meta.url);

/** Returns the version that each dashboard has to have, and the digest of its definition. */
export function findVersions(): typeof dashboardVersions {
  const all = new Set(allPermissions);
  return Object.fromEntries(
    dashboardRows.map((dashboard) => {
      const digest = hash("sha256", JSON.stringify(defineDashboard(dashboard, all))).slice(0, 16);
      const [version, last] = dashboardVersions[dashboard[0]] ?? [0, ""];
      return [dashboard[0], [digest === last ? version : version + 1, digest]];
    }),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const rows = Object.entries(findVersions()).map(([path, [version, digest]]) => {
    const name = path.includes("-") ? JSON.stringify(path) : path;
    return `  ${name}: [${version}, "${digest}"],`;
  });
  const text = readFileSync(file, "utf8");
  writeFileSync(file, text.replace(/= \{[\s\S]*?\};/, `= {\n${rows.join("\n")}\n};`));
}
