import type { StoredReference } from "../../dialects/openai/stored-ids.ts";
import type { ResponsesRequest } from "../../ports/provider.ts";
import type { HeldId, Holder } from "../runtime/held/id-seal.ts";

/** Ids of what vendors hold, as the owner of one call knows them. */
export interface OwnedIds {
  /** The id that the owner gets for a vendor's. */
  seal(id: string, holder: Holder): string;
  /** What an id of the owner's stands for; `undefined` for any other. */
  open(id: string): HeldId | undefined;
}

/** The ids of a request of the Responses API whose caller has a virtual key. */
export interface OwnedCallIds extends OwnedIds {
  /** The request with the vendor's ids in place of the caller's. */
  readonly responses: ResponsesRequest;
  /** Who holds what the request refers to; absent where it refers to nothing. */
  readonly holder: Holder | undefined;
  /** The reference that names the holder. */
  readonly reference: StoredReference | undefined;
  /** The vendor's ids that the request refers to, with the caller's, which errors of the vendor's are to name. */
  readonly sent: ReadonlyMap<string, string>;
}
