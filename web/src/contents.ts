// The table of contents, which marks the section that is being read.
import { h } from "./dom";
import type { Section } from "./sections/section";
import { themeSwitch } from "./theme";

export function contents(sections: Section[]): HTMLElement {
  const links = new Map(sections.map(({ id, title }) => [id, h("a", { href: `#${id}` }, title)]));
  const observer = new IntersectionObserver(
    (entries) => {
      const seen = entries.find((entry) => entry.isIntersecting);
      if (!seen) return;
      for (const [id, link] of links) {
        if (id === seen.target.id) link.setAttribute("aria-current", "true");
        else link.removeAttribute("aria-current");
      }
    },
    { rootMargin: "-15% 0px -75% 0px" },
  );
  for (const { element } of sections) observer.observe(element);
  return h(
    "nav",
    { class: "contents", "aria-label": "Contents" },
    h("ul", {}, ...[...links.values()].map((link) => h("li", {}, link))),
    themeSwitch(),
  );
}
