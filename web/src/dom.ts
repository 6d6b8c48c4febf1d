// Elements made by one call, so that sections read like the page they make.

type Child = Node | string | number | null | undefined | false;
type Listener = (event: Event) => void;
type Attribute = string | number | boolean | null | undefined | Listener;

const svgNamespace = "http://www.w3.org/2000/svg";

function setAttribute(element: Element, name: string, value: Attribute): void {
  if (value === null || value === undefined || value === false) return;
  if (typeof value === "function") element.addEventListener(name, value);
  else element.setAttribute(name, value === true ? "" : String(value));
}

function append(element: Element, children: Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
}

/** An HTML element; an attribute that is a function listens to the event of that name. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Record<string, Attribute> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) setAttribute(element, name, value);
  append(element, children);
  return element;
}

/** The same for SVG. */
export function s<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Record<string, Attribute> = {},
  ...children: Child[]
): SVGElementTagNameMap[Tag] {
  const element = document.createElementNS(svgNamespace, tag);
  for (const [name, value] of Object.entries(attributes)) setAttribute(element, name, value);
  append(element, children);
  return element;
}

/** Leaves an element alone that says it already: a text that is set is laid out anew. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

const focusable = "a[href], button, input, select, [tabindex]";

/** Other children; a keyboard that was on one of them is then on the one in its place. */
export function replaceInFocus(container: Element, ...children: Node[]): void {
  const place = [...container.querySelectorAll(focusable)].indexOf(document.activeElement!);
  container.replaceChildren(...children);
  if (place < 0) return;
  const all = container.querySelectorAll<HTMLElement>(focusable);
  all[Math.min(place, all.length - 1)]?.focus({ preventScroll: true });
}

let counter = 0;

/** An id that no other element has. */
export function uniqueId(stem: string): string {
  counter += 1;
  return `${stem}-${counter}`;
}

/** Runs the action once before the next picture, however often it was asked for since the last. */
export function oncePerFrame(action: () => void): () => void {
  let isWaiting = false;
  return () => {
    if (isWaiting) return;
    isWaiting = true;
    requestAnimationFrame(() => {
      isWaiting = false;
      action();
    });
  };
}
