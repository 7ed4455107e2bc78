import type { WireAnswer } from "../../../../src/engine/ports/transport.ts";
import { type Asked, json } from "./fake-cloud.ts";

/** A volume, a backup or an image, with the status that it has from each instant on; from an end on it is gone. */
interface Stored {
  readonly thing: Record<string, unknown>;
  readonly statuses: readonly (readonly [from: number, status: string])[];
  readonly goneAt?: number;
}

type Kind = "volumes" | "backups" | "images";

/** The volumes, backups and images of a cloud: what is asked for takes seconds, and goes on whoever asked. */
export interface FakeStorage {
  serve(asked: Asked): WireAnswer | undefined;
  add(kind: Kind, thing: Record<string, unknown>, status: string): void;
  /** What is there now, with its status. */
  list(kind: Kind): readonly Record<string, unknown>[];
  /** How often the volume `v9` was written over. */
  readonly restored: readonly unknown[];
}

/** Opens one. Cinder's rules that matter: nothing is deleted or uploaded but from a settled state, and a mark passes to the image. */
export function fakeStorage(now: () => number): FakeStorage {
  const kinds: Record<Kind, Map<string, Stored>> = { volumes: new Map(), backups: new Map(), images: new Map() };
  const restored: unknown[] = [];
  let made = 0;
  const show = ({ thing, statuses }: Stored): Record<string, unknown> => ({
    ...thing,
    status: statuses.findLast(([from]) => from <= now())?.[1],
  });
  const isThere = ({ goneAt = Number.POSITIVE_INFINITY }: Stored) => now() < goneAt;
  const list = (kind: Kind) => [...kinds[kind].values()].filter(isThere).map(show);
  const find = (kind: Kind, id = ""): Record<string, unknown> | undefined => list(kind).find((one) => one.id === id);
  const steps = (...statuses: readonly string[]) => statuses.map((status, at) => [now() + at * 4_000, status] as const);
  const put = (kind: Kind, thing: Record<string, unknown>, stored: Omit<Stored, "thing">) => {
    kinds[kind].set(String(thing.id), { ...stored, thing });
    return thing;
  };
  const move = (kind: Kind, id: string, stored: Omit<Stored, "thing">) =>
    put(kind, kinds[kind].get(id)?.thing ?? {}, stored);
  const missing = json(404, { itemNotFound: { message: "It could not be found." } });
  const refused = json(400, { badRequest: { message: "Its status must be available." } });

  function create({ body }: Asked): WireAnswer {
    const wish = body.volume as Record<string, unknown>;
    const metadata = { ...(wish.metadata as object), src_backup_id: wish.backup_id };
    const id = `volume-${++made}`;
    const thing = { id, name: wish.name, metadata, "os-vol-tenant-attr:tenant_id": "p-1" };
    put("volumes", thing, { statuses: steps("creating", "restoring-backup", "available") });
    move("backups", String(wish.backup_id), { statuses: steps("available", "restoring", "available") });
    return json(202, { volume: { id } });
  }

  function act(id: string, body: Record<string, unknown>): WireAnswer {
    const volume = kinds.volumes.get(id);
    if (volume === undefined || find("volumes", id) === undefined) return missing;
    const marked = body["os-set_image_metadata"] as { metadata: object } | undefined;
    if (marked) put("volumes", { ...volume.thing, image: marked.metadata }, volume);
    if (marked) return json(200, marked);
    if (find("volumes", id)?.status !== "available") return refused;
    const upload = body["os-volume_upload_image"] as { image_name: string };
    const image_id = `image-${++made}`;
    put(
      "images",
      { id: image_id, name: upload.image_name, ...(volume.thing.image as object) },
      { statuses: steps("queued", "saving", "active") },
    );
    move("volumes", id, { statuses: steps("uploading", "uploading", "available") });
    return json(202, { "os-volume_upload_image": { image_id } });
  }

  function restoreOver(id: string, body: Record<string, unknown>): WireAnswer {
    const { volume_id } = body.restore as { volume_id: string };
    if (find("backups", id)?.status !== "available" || find("volumes", volume_id)?.status !== "available")
      return refused;
    restored.push(volume_id);
    move("backups", id, { statuses: steps("restoring", "restoring", "available") });
    move("volumes", volume_id, { statuses: steps("restoring-backup", "restoring-backup", "available") });
    return json(202, { restore: { volume_id } });
  }

  function remove(kind: Kind, id: string): WireAnswer {
    const present = find(kind, id);
    if (present === undefined) return missing;
    if (kind === "images") kinds.images.delete(id);
    if (kind === "images") return json(204);
    if (present.status !== "available") return refused;
    move(kind, id, { statuses: steps("deleting"), goneAt: now() + 6_000 });
    return json(202);
  }

  return {
    restored,
    list,
    add: (kind, thing, status) => void put(kind, thing, { statuses: [[0, status]] }),
    serve(asked) {
      const { method, parts, query, body } = asked;
      const [first = "", id, verb] = parts[0] === "v2" ? parts.slice(1) : parts;
      if (!Object.hasOwn(kinds, first)) return undefined;
      const kind = first as Kind;
      if (method === "POST" && kind === "volumes") return verb === "action" ? act(id ?? "", body) : create(asked);
      if (method === "POST") return restoreOver(id ?? "", body);
      if (method === "DELETE") return remove(kind, id ?? "");
      const mark = query.get("tollgate_restore");
      if (id === undefined || id === "detail")
        return json(200, { [kind]: list(kind).filter((one) => mark === null || one.tollgate_restore === mark) });
      const one = find(kind, id);
      if (one === undefined) return missing;
      return json(200, kind === "images" ? one : { [kind.slice(0, -1)]: one });
    },
  };
}
