/**
 * Prices of watsonx.ai in dollars per million tokens, by the names of its models: the chat models of the LiteLLM price map 1.108.7 (November
 * 2026), the one list that has them, but for jais-13b-chat, whose price there is off by a factor of some hundred.
 */
const watsonx = [
  "bigscience/mt0-xxl-13b|c4096|m4096|It|Ot|$i1.908 o1.908",
  "bigscience/mt0-xxl|c4096|m4096|It|Ot|$i1.908 o1.908",
  "google/flan-t5-xl-3b|c8192|m8192|It|Ot|$i0.6 o0.6",
  "ibm/granite-13b-chat-v2|c8192|m8192|It|Ot|$i0.6 o0.6",
  "ibm/granite-13b-instruct-v2|c8192|m8192|It|Ot|$i0.6 o0.6",
  "ibm/granite-3-3-8b-instruct|c8192|m8192|It|Ot|$i0.2 o0.2",
  "ibm/granite-3-8b-instruct|c8192|m1024|It|Ot|$i0.2 o0.2",
  "ibm/granite-4-h-small|c131072|m131072|It|Ot|$i0.0636 o0.265",
  "ibm/granite-guardian-3-2-2b|c8192|m8192|It|Ot|$i0.1 o0.1",
  "ibm/granite-guardian-3-3-8b|c8192|m8192|It|Ot|$i0.2 o0.2",
  "ibm/granite-vision-3-2-2b|c8192|m8192|Iti|Ot|$i0.1 o0.1",
  "meta-llama/llama-3-2-11b-vision-instruct|c128000|m128000|Iti|Ot|$i0.35 o0.35",
  "meta-llama/llama-3-2-1b-instruct|c128000|m128000|It|Ot|$i0.1 o0.1",
  "meta-llama/llama-3-2-3b-instruct|c128000|m128000|It|Ot|$i0.15 o0.15",
  "meta-llama/llama-3-2-90b-vision-instruct|c128000|m128000|Iti|Ot|$i2 o2",
  "meta-llama/llama-3-3-70b-instruct|c131072|m131072|It|Ot|$i0.7526 o0.7526",
  "meta-llama/llama-4-maverick-17b-128e-instruct-fp8|c131072|m8192|Iti|Ot|$i0.371 o1.484",
  "meta-llama/llama-4-maverick-17b|c131072|m8192|Iti|Ot|$i0.371 o1.484",
  "meta-llama/llama-guard-3-11b-vision|c128000|m128000|Iti|Ot|$i0.35 o0.35",
  "mistralai/mistral-large|c131072|m16384|It|Ot|$i3 o10",
  "mistralai/mistral-medium-2505|c128000|m128000|It|Ot|$i3 o10",
  "mistralai/mistral-small-2503|c32000|m32000|It|Ot|$i0.1 o0.3",
  "mistralai/mistral-small-3-1-24b-instruct-2503|c131072|m16384|It|Ot|$i0.106 o0.318",
  "mistralai/pixtral-12b-2409|c128000|m128000|Iti|Ot|$i0.35 o0.35",
  "openai/gpt-oss-120b|c131072|m131072|It|Ot|$i0.159 o0.636",
  "sdaia/allam-1-13b-instruct|c8192|m8192|It|Ot|$i1.8 o1.8",
].join("\n");

/**
 * What the snapshot has not, in its format (`format.ts`): what `local` does in this process costs nothing.
 */
export const ownProviders: Readonly<Record<string, string>> = {
  local: "echo|It|Ot|$i0 o0\nbm25|Mrerank|It|$i0\nhybrid|Mrerank|It|$i0\nminilm-l6-v2|Membedding|It|$i0",
  watsonx,
};
