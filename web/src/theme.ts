// Light or dark: as the system says, or as the reader chose.
import { h } from "./dom";

const systemIsDark = window.matchMedia("(prefers-color-scheme: dark)");

function isDark(): boolean {
  return (document.documentElement.dataset.theme ?? (systemIsDark.matches ? "dark" : "light")) === "dark";
}

export function themeSwitch(): HTMLButtonElement {
  const button = h("button", { type: "button", class: "theme" });
  const tell = () => {
    button.textContent = isDark() ? "Light" : "Dark";
    button.setAttribute("aria-label", isDark() ? "Change to the light theme" : "Change to the dark theme");
  };
  button.addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    tell();
  });
  systemIsDark.addEventListener("change", tell);
  tell();
  return button;
}
