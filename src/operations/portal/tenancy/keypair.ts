import { z } from "zod";
import { op } from "../../define.ts";
import { flag, id, secret } from "../fields.ts";

/** The key pair of a resource. */
export const KeypairRecord = z.object({
  access_key: z.string(),
  active: flag,
  resource_id: z.string(),
  secret_key: z.string(),
  user_id: z.string(),
});
export type KeypairRecord = z.output<typeof KeypairRecord>;

/** Key pairs of resources, kept encrypted. */
export const keypair = {
  get: op("GET /keypair", "keypair-get", "Read the key pair of a resource", {
    in: { resource_id: id },
    out: KeypairRecord,
    isSecret: true,
  }),
  set: op("PATCH /keypair", "keypair-patch", "Set the key pair of a resource", {
    in: { access_key: secret, resource_id: id, secret_key: secret },
  }),
};
