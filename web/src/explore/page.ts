// The explorer as a page: what stands in its body.
import { h } from "../dom";
import type { Report } from "../report";
import { ExplorerApp } from "./app";

export function explorerPage(report: Report): HTMLElement[] {
  document.title = `${report.title} – greybox explorer`;
  document.documentElement.classList.add("is-live");
  const app = new ExplorerApp(report);
  return [h("a", { class: "skip", href: "#content" }, "Skip to the content"), app.element];
}
