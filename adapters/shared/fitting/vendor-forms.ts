import type { MediaRule } from "./media.ts";

/** The names of tools that a vendor takes. */
export interface NameRule {
  /** Every character that a name may hold. */
  readonly characters: RegExp;
  /** The first one, where fewer are allowed there. */
  readonly first?: RegExp;
  readonly most: number;
}

/** What a vendor takes of tools and schemas. */
export interface VendorForm {
  readonly names: NameRule;
  /** Schemas of tools are plain objects at the top: alternatives and references there are a 400. */
  readonly lacksTopAlternatives?: boolean;
  /** A reference stands alone: next to other keywords it is a 400, in strict schemas or in all. */
  readonly bareReferences?: "strict" | "all";
  /** Schemas of answers are those of objects. */
  readonly answersObjects?: boolean;
  /** The media that it takes; all unless given. */
  readonly media?: MediaRule;
}

const wordsAndDashes = /^[\w-]+$/;

/** Most vendors of OpenAI's dialect. */
const usualForm: VendorForm = { names: { characters: wordsAndDashes, most: 64 }, answersObjects: true };

/** platform.openai.com, "Function calling" and "Structured outputs". */
const openaiForm: VendorForm = { ...usualForm, lacksTopAlternatives: true, bareReferences: "strict" };

/** docs.claude.com, "Tool use": names of 128 characters; `input_schema` refuses oneOf, allOf and anyOf at the top. */
const claudeForm: VendorForm = {
  names: { characters: wordsAndDashes, most: 128 },
  lacksTopAlternatives: true,
  answersObjects: true,
  media: { distantImages: true, files: /^(image\/.*|application\/pdf)$/, distantFiles: true },
};

/** docs.aws.amazon.com, Bedrock, ToolSpecification: names of 64 characters; ImageSource and DocumentSource: bytes, no addresses. */
const converseForm: VendorForm = {
  ...claudeForm,
  names: { characters: wordsAndDashes, most: 64 },
  media: { files: /^(image\/.*|application\/pdf)$/ },
};

/** ai.google.dev, FunctionDeclaration and "Structured outputs": names begin with a letter or `_`; references stand alone. */
const geminiForm: VendorForm = {
  names: { characters: /^[\w.:-]+$/, first: /^[A-Za-z_]/, most: 64 },
  bareReferences: "all",
};

/** docs.cohere.com, "Tool use": letters, digits and `_`, and no digit first; "Image inputs". */
const cohereForm: VendorForm = {
  names: { characters: /^\w+$/, first: /^[A-Za-z_]/, most: 64 },
  answersObjects: true,
  media: { distantImages: true },
};

/** The forms by name. */
export const vendorForms = {
  usual: usualForm,
  openai: openaiForm,
  claude: claudeForm,
  converse: converseForm,
  gemini: geminiForm,
  cohere: cohereForm,
} as const satisfies Readonly<Record<string, VendorForm>>;

export type VendorFormName = keyof typeof vendorForms;
