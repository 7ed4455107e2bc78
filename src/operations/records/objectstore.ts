import type { PortalRecord } from "./record.ts";

/** The key pair of a resource, as a rule of an infrastructure project for its object store. `id` is the resource's id. */
export interface StoredKeyPair extends PortalRecord {
  readonly access_key: string;
  /** The secret key, sealed with the portal's secret. */
  readonly sealed_secret_key: string;
  /** The id of the user who set it. */
  readonly set_by?: string | undefined;
}

/** The common fields of shares of buckets and of objects. `id` is derived from what is shared with whom: one record for each share. */
interface StoredShare extends PortalRecord {
  /** The code of the region. */
  readonly region: string;
  /** The object store's address. */
  readonly endpoint: string;
  readonly bucket: string;
  /** The resource whose key pair was used to share it. */
  readonly owner_id: string;
  /** The id of the user who shared it. */
  readonly shared_by: string;
}

/** A bucket that another project may read. */
export interface StoredSharedBucket extends StoredShare {
  /** The infrastructure project that may read it. */
  readonly project_id: string;
}

/** An object that can be read through a signed address for a time. The address itself is not stored, because it grants the access. */
export interface StoredSharedUrl extends StoredShare {
  readonly object_key: string;
  /** RFC 3339 in UTC with milliseconds: the address is valid between the two. */
  readonly signed_at: string;
  readonly expires_at: string;
}
