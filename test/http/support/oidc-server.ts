import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";

/** What the OpenID server says of an account. */
interface Account {
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly preferred_username?: string;
}

/** A real OpenID server, where whoever comes is logged in as one account. */
export interface OpenidServer extends AsyncDisposable {
  readonly issuer: string;
  /** Who the next visitor is. */
  as(account: string): void;
}

export const client = { clientId: "tollgate", clientSecret: "a-secret-of-the-client" };

/** Starts the server for a gateway at this address. */
export async function startOpenidServer(
  redirectUri: string,
  accounts: Readonly<Record<string, Account>>,
): Promise<OpenidServer> {
  let accountId = "";
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [{ client_id: client.clientId, client_secret: client.clientSecret, redirect_uris: [redirectUri] }],
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id, ...accounts[id] }) }),
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["preferred_username"] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
  });
  server.on("request", async (request, response) => {
    if (!request.url?.startsWith("/interaction/")) return provider.callback()(request, response);
    const { params } = await provider.interactionDetails(request, response);
    const grant = new provider.Grant({ accountId, clientId: String(params.client_id) });
    grant.addOIDCScope("openid email profile");
    const grantId = await grant.save();
    return provider.interactionFinished(request, response, { login: { accountId }, consent: { grantId } });
  });
  return {
    issuer,
    as(account) {
      accountId = account;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A browser, as far as a login needs one: it keeps cookies by host, and follows from page to page. */
export class Browser {
  readonly #cookies = new Map<string, Map<string, string>>();

  /** Asks without following. */
  async ask(address: string, headers: Record<string, string> = {}, method = "GET"): Promise<Response> {
    const { host } = new URL(address);
    const own = this.#cookies.get(host) ?? new Map<string, string>();
    this.#cookies.set(host, own);
    const cookie = [...own].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(address, { method, redirect: "manual", headers: { cookie, ...headers } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "") own.delete(name);
      else own.set(name, value);
    }
    return response;
  }

  /** Follows until an address matches, which is not asked for; returns it. */
  async follow(address: string, until: RegExp): Promise<string> {
    let at = address;
    for (let step = 0; step < 20 && !until.test(at); step++) {
      const response = await this.ask(at);
      const location = response.headers.get("location");
      if (location === null) throw new Error(`${at} answered ${response.status}: ${await response.text()}`);
      at = new URL(location, at).href;
    }
    return at;
  }
}
