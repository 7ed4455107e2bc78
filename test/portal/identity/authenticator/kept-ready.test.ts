import { expect, it } from "vitest";
import { local } from "../../../../adapters/providers/local/index.ts";
import type { RecordKind, Records } from "../../../../src/engine/ports/records.ts";
import type { Store } from "../../../../src/engine/ports/store.ts";
import { createEngine } from "../../../../src/index.ts";
import { permissionSources } from "../../../../src/portal/areas/permission-sources.ts";
import { createAuthenticator } from "../../../../src/portal/identity/authenticator.ts";
import { openGateway } from "../../support/gateway.ts";
import { stores } from "../../support/rig.ts";

/** A store that counts how often something was looked for by its hash. */
function counted(store: Store): { store: Store; looked: RecordKind[] } {
  const looked: RecordKind[] = [];
  const findByHash: Records["findByHash"] = (kind, hash) => {
    looked.push(kind);
    return store.records.findByHash(kind, hash);
  };
  return { store: { ...store, records: { ...store.records, findByHash } }, looked };
}

const note = { method: "POST", path: "/property", body: { property: "p", value: "v", description: "" } } as const;

it.each(stores)(
  "keys and tokens stay ready while the portal writes what they are not made of: %s",
  async (_name, open) => {
    const { store, looked } = counted(await open());
    const engine = createEngine({ providers: [local()], store });
    const { value } = await engine.keys.create({
      name: "k",
      provider_configs: [{ provider: "*", allowed_models: ["*"] }],
    });
    const gateway = await openGateway(store);
    const authenticate = createAuthenticator({
      records: store.records,
      clock: engine.clock,
      permissionSources,
      keyPrefix: "sk-tg-",
    });
    const use = async () => {
      await engine.chat({ model: "local/echo", messages: [{ role: "user", content: "hello" }] }, { key: value });
      await authenticate(gateway.token);
    };
    await use();
    looked.length = 0;
    await use();
    expect((await gateway.ask(note)).status).toBe(204); // a property, and its entry in the audit log
    looked.length = 0;
    await use();
    expect(looked).toEqual([]);
    const { body } = await gateway.ask({ method: "POST", path: "/users", body: { username: "ann" } });
    expect(body).toMatchObject({ username: "ann" });
    looked.length = 0;
    await use();
    expect(looked).toEqual(expect.arrayContaining(["key", "token"]));
    await engine.close();
  },
);
