/** The default theme. */
export const plainTheme = {
  name: "tollgate",
  colors: { primary: "#1f5fa8", background: "#ffffff", surface: "#f4f6f8", text: "#1a1d21", danger: "#b3261e" },
};
