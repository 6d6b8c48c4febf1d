// Builds the page from the data that stand in it.
import { contents } from "./contents";
import { h } from "./dom";
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
import type { Section } from "./sections/section";
import { trainingSection } from "./sections/training";
import { verdictsSection } from "./sections/verdicts";

const makers: ((report: Report) => Section | null)[] = [
  modelSection,
  verdictsSection,
  landscapeSection,
  estimatesSection,
  predictionsSection,
  posteriorSection,
  dataSection,
  trainingSection,
  ledgerSection,
  provenanceSection,
];

function build(report: Report): void {
  document.title = `${report.title} – greybox report`;
  const sections = makers.map((make) => make(report)).filter((made) => made !== null);
  document.body.append(
    h("a", { class: "skip", href: "#content" }, "Skip to the content"),
    contents(sections),
    h("main", { id: "content", tabindex: -1 }, pageHeader(report), ...sections.map(({ element }) => element)),
    h(
      "footer",
      {},
      `Made by greybox ${report.version}. This page is one file and loads nothing from the network.`,
    ),
  );
  openForPrint();
}

build(JSON.parse(document.getElementById("report-data")!.textContent!) as Report);
