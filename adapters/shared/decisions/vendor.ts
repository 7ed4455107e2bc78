import type { HttpClient } from "../http/client.ts";

/** How a vendor takes pictures: not at all, as parts of messages, in a field next to the state, by name, or in the state itself. */
export type PictureForm = "none" | "parts" | "images" | "assets" | "state";

/** The interface of a vendor for decisions (inference-resolved.md, section 10). */
export interface DecisionInterface {
  /** `map` is System One's, `list` is OpenAI's. */
  readonly form: "map" | "list";
  /** Path of a model's interface, behind the base URL. */
  readonly path: (model: string) => string;
  /** Where the interface begins, where that is not the vendor's other base URL. */
  readonly base?: (baseUrl: string) => string;
  /** Models that decide; the vendor's others chat. All of them unless given. */
  readonly models?: RegExp;
  /** Models that find places in pictures; none unless given. */
  readonly boxes?: RegExp;
  /** `none` unless given. */
  readonly pictures?: PictureForm;
  /** Pictures of one request at most, where the vendor says so. */
  readonly mostPictures?: number;
  /** False where the address names the model. */
  readonly sendsModel?: (model: string) => boolean;
  /** Fewest options that a choice takes: one is answered without asking. 1 unless given. */
  readonly fewestOptions?: number;
  /** Headers of requests with pictures, or about places in them. */
  readonly pictureHeaders?: Readonly<Record<string, string>>;
  /** The tier of rates that its answers are billed by, where the model has other ones for chat. */
  readonly tier?: string;
}

/** A vendor as it is asked for decisions. */
export interface DecisionVendor extends DecisionInterface {
  readonly name: string;
  readonly http: HttpClient;
}
