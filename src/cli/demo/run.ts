import type { LocalCloud } from "tollgate/backends/local";
import { GatewayError } from "../../engine/errors.ts";
import type { CheckedConfig } from "../../server/config/shape.ts";
import { workOnPortal } from "../../server/portal/work-on-portal.ts";
import { onlyPresent } from "../../server/present-options.ts";
import { alignColumns } from "../../server/terminal/format.ts";
import type { Terminal } from "../../server/terminal/terminal.ts";
import { writeDemoConfig } from "./config-file.ts";
import { type Demo, fillDemo } from "./fill.ts";
import { governDemo } from "./governance.ts";
import { demoReseller } from "./tenants.ts";

/** The options of the command line. */
interface DemoOptions {
  readonly store: string;
  readonly config: string | undefined;
  readonly isJson: boolean;
}

/** Creates the demo and prints the next steps. Resolves with the exit code. */
export async function runDemo({ store: choice, config, isJson }: DemoOptions, terminal: Terminal): Promise<number> {
  const clouds = new Map<string, LocalCloud>();
  const onCloud = (code: string, cloud: LocalCloud) => void clouds.set(code, cloud);
  const portalLocation = {
    store: choice,
    ...onlyPresent({ config }),
    createIfMissing: true,
    isExclusive: true,
    onCloud,
  };
  return workOnPortal(
    terminal,
    portalLocation,
    async (portal, _operator, { engine, store, storeName, configFile, config: { tiers } }) => {
      const [found] = clouds;
      if (found === undefined)
        throw refuse("config", "names no region with the embedded cloud (`local`), which the demo fills.");
      if ((await store.records.count("user")) > 0)
        throw refuse("store", `${storeName} has users already: name a new file.`);
      const [region, cloud] = found;
      const filled = await fillDemo({ portal, store, region, cloud, tier: pickTier(tiers), now: terminal.now() });
      const governed = await governDemo(filled, { engine, portal, cloud });
      const demo = { ...filled, requests: filled.requests + governed };
      // a configuration of one's own says what is served
      const ownConfig = configFile === undefined && (await writeDemoConfig({ folder: terminal.folder, store: choice }));
      terminal.out(
        isJson
          ? `${JSON.stringify(toJson(demo), null, 2)}\n`
          : describe(demo, { storeName, region, config: ownConfig || config }),
      );
      return 0;
    },
  );
}

/** The tier of the demo's keys: the first configured tier that is offered to its reseller. */
function pickTier(tiers: CheckedConfig["tiers"] = { standard: {} }): string {
  const isOffered = ({ resellers }: { resellers?: unknown }) =>
    !Array.isArray(resellers) || resellers.includes(demoReseller);
  const [tier] = Object.entries(tiers).filter(([, settings]) => isOffered(settings));
  if (tier === undefined) throw refuse("config", `offers no tier to the demo's reseller, ${demoReseller}.`);
  return tier[0];
}

function refuse(param: string, problem: string): GatewayError {
  return new GatewayError("invalid_configuration", `\`--${param}\`: ${problem}`, { param });
}

function toJson({ adminToken, tenants, keys: _keys, ...rest }: Demo) {
  return { admin_token: adminToken, tenants: tenants.map(({ calls: _calls, ...tenant }) => tenant), ...rest };
}

function describe(
  { adminToken = "", tenants, requests }: Demo,
  { storeName, region, config }: { storeName: string; region: string; config: string | undefined },
): string {
  const rows = tenants.map(({ username, reseller, client_id, token }) => {
    return [username, client_id === undefined ? `reseller ${reseller}` : `client ${client_id} of ${reseller}`, token];
  });
  const token = tenants.at(-1)?.token ?? "";
  return [
    `${storeName} has a provider, a reseller and two clients, with ${requests} requests of a month and a small cloud (region ${region}).\n\n`,
    "Access tokens, shown this once:\n",
    alignColumns([["USER", "PLACE", "TOKEN"], ["admin", "the provider", adminToken], ...rows]),
    "\nGo on with:\n",
    `  tollgate serve --store ${storeName}${config === undefined ? "" : ` --config ${config}`}\n`,
    `  curl -H 'auth-token: ${token}' -H 'region: ${region}' http://127.0.0.1:8080/iaas/servers\n`,
    `  curl -H 'auth-token: ${token}' -H 'region: ${region}' http://127.0.0.1:8080/backups\n`,
    `  tollgate usage --store ${storeName} --by model\n`,
    `  tollgate portal call GET /cluster/shoots --store ${storeName}\n`,
    "  tollgate portal list\n",
  ].join("");
}
