// Builds the page from the data that stand in it.
import { contents } from "./contents";
import { h } from "./dom";
import { explorerPage } from "./explore/page";
import { openForPrint } from "./print";
import type { Report } from "./report";
import { dataSection } from "./sections/data";
import { estimatesSection } from "./sections/estimates";
import { pageHeader } from "./sections/header";
import { landscapeSection } from "./sections/landscape";
import { ledgerSection } from "./sections/ledger";
import { modelSection } from "./sections/model";
import { posteriorSection } from "./sections/posterior";
import { predictionsSection } from "./sections/predictions";
import { provenanceSection } from "./sections/provenance";
import { section, type Section } from "./sections/section";
import { trainingSection } from "./sections/training";
import { verdictsSection } from "./sections/verdicts";

const makers: [id: string, title: string, make: (report: Report) => Section | null][] = [
  ["model", "The model", modelSection],
  ["verdicts", "Verdicts", verdictsSection],
  ["landscape", "Landscapes", landscapeSection],
  ["estimates", "Estimates", estimatesSection],
  ["predictions", "Predictions", predictionsSection],
  ["posterior", "Posterior", posteriorSection],
  ["data", "The data", dataSection],
  ["training", "The training", trainingSection],
  ["ledger", "Data used for what", ledgerSection],
  ["provenance", "Provenance", provenanceSection],
];

/** What a part that cannot be shown is replaced by: one broken part must not take the others with it. */
function failure(what: string, error: unknown): HTMLElement {
  console.error(error);
  const reason = error instanceof Error ? error.message : String(error);
  return h("p", { class: "failure", role: "alert" }, `${what} cannot be shown: ${reason}`);
}

function makeSection([id, title, make]: (typeof makers)[number], report: Report): Section | null {
  try {
    return make(report);
  } catch (error) {
    return section(id, title, "", failure("This section", error));
  }
}

function makeHeader(report: Report): HTMLElement {
  try {
    return pageHeader(report);
  } catch (error) {
    return failure("The head of this page", error);
  }
}

function build(report: Report): void {
  if (report.live) return document.body.append(...explorerPage(report));
  document.title = `${report.title} – greybox report`;
  const sections = makers.map((maker) => makeSection(maker, report)).filter((made) => made !== null);
  document.body.append(
    h("a", { class: "skip", href: "#content" }, "Skip to the content"),
    contents(sections),
    h("main", { id: "content", tabindex: -1 }, makeHeader(report), ...sections.map(({ element }) => element)),
    h(
      "footer",
      {},
      `Made by greybox ${report.version}. This page is one file and loads nothing from the network.`,
    ),
  );
  openForPrint();
}

try {
  build(JSON.parse(document.getElementById("report-data")!.textContent!) as Report);
} catch (error) {
  document.body.append(failure("This report", error));
}
