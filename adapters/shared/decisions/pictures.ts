import type { DecisionInput, InputPart } from "../../../src/engine/api/decisions/parts.ts";
import type { DecisionQuestions, Picture } from "../../../src/engine/decisions/question.ts";
import { GatewayError } from "../../../src/engine/errors.ts";
import type { DecisionVendor } from "./vendor.ts";

/** A state and the pictures that go with it, as a vendor of the map form takes them. */
interface MapMaterial {
  readonly state: unknown;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** The material of a request as a state; throws `unsupported_operation` for pictures that the vendor does not take. */
export function toMaterial({ situation }: DecisionQuestions, vendor: DecisionVendor): MapMaterial {
  const form = vendor.pictures ?? "none";
  if (situation.kind === "value") {
    const pictures = checked(situation.pictures, vendor);
    return withPictures(situation.value ?? null, pictures, form);
  }
  const pictures: Picture[] = [];
  const take = (url: string): string => {
    const name = `image_${pictures.length + 1}`;
    pictures.push({ name, url });
    return name;
  };
  const state = situation.messages.map((item) => withoutPictures(item, take));
  return withPictures(state, checked(pictures, vendor), form);
}

function withPictures(state: unknown, pictures: readonly Picture[], form: string): MapMaterial {
  if (pictures.length === 0) return { state, fields: {} };
  if (form === "images") return { state, fields: { images: pictures.map(({ url }) => url) } };
  if (form === "assets") return { state, fields: { assets: Object.fromEntries(pictures.map(toAsset)) } };
  const texts = Array.isArray(state) ? state : state === null ? [] : [state];
  return { state: [...texts, ...pictures.map(({ url }) => ({ type: "image_url", image_url: { url } }))], fields: {} };
}

/** An asset by its name; what is no data URL goes as its address. */
function toAsset({ name, url }: Picture, position: number): readonly [string, object] {
  const [, format, data_base64] = /^data:image\/([a-z0-9.+-]+);base64,(.*)$/is.exec(url) ?? [];
  const asset = data_base64 === undefined ? { type: "image", url } : { type: "image", format, data_base64 };
  return [name ?? `image_${position + 1}`, asset];
}

function withoutPictures(item: DecisionInput, take: (url: string) => string): DecisionInput {
  const replaced = (parts: readonly InputPart[]) => parts.map((part) => textOfPart(part, take));
  if ("content" in item && Array.isArray(item.content))
    return { ...item, content: replaced(item.content) } as DecisionInput;
  if ("output" in item && Array.isArray(item.output))
    return { ...item, output: replaced(item.output) } as DecisionInput;
  return item;
}

/** A picture of a message as the name that it is sent under. */
function textOfPart(part: InputPart, take: (url: string) => string): InputPart {
  return part.type === "input_image" ? { type: "input_text", text: take(part.image_url) } : part;
}

function checked(pictures: readonly Picture[], vendor: DecisionVendor): readonly Picture[] {
  const { name: provider, pictures: form = "none", mostPictures = Infinity } = vendor;
  const refuse = (problem: string) => {
    throw new GatewayError("unsupported_operation", `\`input\`: ${provider} takes ${problem}.`, {
      param: "input",
      provider,
    });
  };
  if (pictures.length > 0 && form === "none") refuse("no `input_image`");
  if (pictures.length > mostPictures) refuse(`at most ${mostPictures} pictures`);
  return pictures;
}
