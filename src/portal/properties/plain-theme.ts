/** The default theme. */
export const plainTheme = {
  name: "tollgate",
  colors: { primary: "#4455d0", background: "#f9fafb", surface: "#ffffff", text: "#1b1f28", danger: "#b71824" },
};
