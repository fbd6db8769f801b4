// Light, dark, or as the system has it.

import { byId } from "./dom.js";

const NAMES = { system: "as the system", light: "light", dark: "dark" };
const NEXT = { system: "light", light: "dark", dark: "system" };
const KEY = "copse-colours";

function apply(theme) {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  byId("theme").textContent = { system: "◐", light: "☀︎", dark: "☾" }[theme];
  byId("theme").setAttribute("aria-label", `Colours: ${NAMES[theme]}`);
  byId("theme").title = `Colours: ${NAMES[theme]}`;
}

export function startTheme() {
  let theme = "system";
  try {
    theme = localStorage.getItem(KEY) ?? "system";
  } catch {
    // Without storage the choice lasts as long as the page.
  }
  if (!(theme in NAMES)) theme = "system";
  apply(theme);
  byId("theme").addEventListener("click", () => {
    theme = NEXT[theme];
    apply(theme);
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // As above.
    }
  });
}
