import { theme as plainTheme } from "virtual:theme";
import { Icon } from "../../parts/icon.tsx";
import { hrefOf } from "../router.ts";
import { useTenantTheme } from "./tenant-theme.ts";

/** The tenant's logo and name, which lead to the overview. */
export function Brand() {
  const { name, logo } = useTenantTheme() ?? plainTheme;
  return (
    <a class="brand" href={hrefOf("")}>
      {logo === undefined ? <Icon name="route" size={20} /> : <img src={logo} alt="" height="22" />}
      {name}
    </a>
  );
}
