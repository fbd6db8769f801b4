// Small helpers for elements of the page.

export const byId = (id) => document.getElementById(id);

/** An HTML element with properties (and attributes with a dash) and children; strings become text, never markup. */
export function make(name, properties = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key.includes("-") || key === "role") node.setAttribute(key, value);
    else if (key === "dataset") Object.assign(node.dataset, value);
    else node[key] = value;
  }
  node.append(...children);
  return node;
}

export const motion = () => (matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth");

/** Tells a screen reader something that the eye can see anyway. */
export function speak(text) {
  byId("spoken").textContent = text;
}
