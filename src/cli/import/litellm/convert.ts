import { convertDeployments, type KnownKinds } from "./deployments.ts";
import { type FieldsByName, fieldsOf, type Remark } from "./remarks.ts";
import { convertRoutes } from "./routes.ts";
import { convertSettings } from "./settings.ts";

/** A configuration of tollgate, and what of the other one is not in it. */
export interface Converted {
  readonly config: FieldsByName;
  readonly remarks: readonly Remark[];
}

/** Converts the configuration of a LiteLLM proxy. No secret of it is in the result. */
export function convertLitellm(value: unknown, kinds: KnownKinds): Converted {
  const document = fieldsOf(value);
  const { providers, prices, deployments, remarks } = convertDeployments(document.model_list, kinds);
  const routes = convertRoutes(deployments, {
    litellm: fieldsOf(document.litellm_settings),
    router: fieldsOf(document.router_settings),
  });
  const settings = convertSettings(document);
  const config = {
    ...settings.config,
    ...(Object.keys(prices).length === 0 ? {} : { prices }),
    ...(routes.rules.length === 0 ? {} : { rules: routes.rules }),
    providers,
  };
  return { config, remarks: [...remarks, ...routes.remarks, ...settings.remarks] };
}
