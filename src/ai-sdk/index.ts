export { type ModelOptions, type Models, tollgate, type Verbs } from "./models.ts";
export { fromAiSdk, type SdkModels } from "./provider.ts";
