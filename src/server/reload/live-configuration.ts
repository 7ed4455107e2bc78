import type {
  ConfiguredCredential,
  CredentialSource,
  ProviderCredential,
} from "../../portal/credentials/credential-source.ts";
import type { Gathered } from "../gather.ts";
import type { OpenedEngine } from "../open-engine.ts";
import { onlyPresent } from "../present-options.ts";
import { lonelyId } from "../providers/portal-credentials.ts";
import { endOf, type ProviderOrder } from "../providers/source.ts";
import { testCredential } from "../providers/test-credential.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { type Reloaded, type ReloadOptions, reload, takeCredentials } from "./reload.ts";

/** The configuration that an engine runs with, and the one way to change it: changes happen one at a time. */
export interface LiveConfiguration {
  readonly opened: OpenedEngine;
  /** Reads the configuration again and takes it over; see {@link reload}. */
  reload(): Promise<Reloaded>;
  /** Takes other credentials of the portal over; throws `invalid_configuration` for those that cannot be used. */
  takeCredentials(credentials: readonly ProviderCredential[]): Promise<void>;
  /** The credentials of its providers, for the portal. */
  readonly credentialSource: CredentialSource;
  /** Calls the function with each configuration that is taken over from now on. */
  follow(follower: (opened: OpenedEngine) => void): void;
}

/** Opens the configuration of a server; `listenAddress` is asked at each change, since the port may be known late. */
export function openLiveConfiguration({
  listenAddress,
  ...first
}: Omit<ReloadOptions, "listenAddress"> & {
  readonly listenAddress: () => ReloadOptions["listenAddress"];
  readonly terminal: ReloadOptions["terminal"] & Pick<Terminal, "now">;
}): LiveConfiguration {
  const followers: ((opened: OpenedEngine) => void)[] = [];
  let { opened } = first;
  let last: Promise<unknown> = Promise.resolve();
  const change = (by: (options: ReloadOptions) => Promise<Reloaded>): Promise<Reloaded> => {
    const changed = last.then(async () => {
      const taken = await by({ ...first, opened, listenAddress: listenAddress() });
      opened = taken.opened;
      for (const follower of followers) follower(opened);
      return taken;
    });
    last = changed.catch(() => {});
    return changed;
  };
  const live = {
    get opened() {
      return opened;
    },
    async takeCredentials(credentials: readonly ProviderCredential[]) {
      await change((options) => takeCredentials(options, credentials));
    },
    reload: () => change(reload),
    follow: (follower: (opened: OpenedEngine) => void) => void followers.push(follower),
  };
  return Object.assign(live, { credentialSource: credentialSourceOf(live, first.terminal.now) });
}

/** The configuration that an engine runs with, as far as its credentials go. */
interface CredentialHolder {
  readonly opened: Pick<Gathered, "parts" | "network">;
  takeCredentials(credentials: readonly ProviderCredential[]): Promise<void>;
}

/** The credentials of a running gateway, for its portal. */
function credentialSourceOf(configuration: CredentialHolder, now: () => number): CredentialSource {
  return {
    list: () => configuration.opened.parts.orders.flatMap(listCredentials),
    take: (credentials) => configuration.takeCredentials(credentials),
    test: (credential) => testCredential({ ...configuration.opened, now }, credential),
  };
}

function listCredentials({ name: provider, settings }: ProviderOrder): readonly ConfiguredCredential[] {
  const { apiKey, credentials = [] } = settings;
  const all = apiKey === undefined ? credentials : [{ id: lonelyId, apiKey }];
  return all.map((each) => ({ provider, name: each.id, ...onlyPresent({ key_end: endOf(each.apiKey) }) }));
}
