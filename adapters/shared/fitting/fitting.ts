import type { ChatRequest } from "../../../src/engine/api/chat.ts";
import { withoutMedia } from "./media.ts";
import { objectSchemas } from "./object-schemas.ts";
import { type Chats, type Rewrite, type RewriteContext, type Rewriter, rewritten } from "./rewritten.ts";
import { toolNames } from "./tool-names.ts";
import { toolSchemas } from "./tool-schemas.ts";
import { type VendorFormName, vendorForms } from "./vendor-forms.ts";

/**
 * A provider whose requests are put in the form that its vendor takes: names of tools, schemas of tools and of answers, media. Answers come back
 * in the caller's form. A request that fits goes on as it is.
 */
export function fitting<Speaker extends Chats>(provider: Speaker, name: VendorFormName): Speaker {
  const form = vendorForms[name];
  const rewriters = [
    ...(form.media ? [withoutMedia(form.media)] : []),
    ...(form.answersObjects ? [objectSchemas] : []),
    toolSchemas(form),
    toolNames(form.names),
  ];
  return rewritten(provider, (request, context) => inTurn(rewriters, request, context));
}

function inTurn(rewriters: readonly Rewriter[], request: ChatRequest, context: RewriteContext): Rewrite | undefined {
  let whole: Rewrite | undefined;
  for (const rewrite of rewriters) {
    const next = rewrite(whole?.request ?? request, context);
    if (next !== undefined) whole = whole === undefined ? next : joined(whole, next);
  }
  return whole;
}

/** The later rewrite is the first that reads an answer. */
function joined(one: Rewrite, later: Rewrite): Rewrite {
  return {
    request: later.request,
    answer: (answer) => one.answer(later.answer(answer)),
    chunks: () => {
      const [outer, inner] = [one.chunks(), later.chunks()];
      return (chunk) => outer(inner(chunk));
    },
  };
}
