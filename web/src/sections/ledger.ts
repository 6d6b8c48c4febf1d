// The ledger: which data were used for what, so that nobody estimates on what chose the regularizer.
import { h } from "../dom";
import type { Report } from "../report";
import { section, type Section, table } from "./section";

export function ledgerSection({ ledger = [] }: Report): Section | null {
  if (ledger.length === 0) return null;
  return section(
    "ledger",
    "Data used for what",
    "Whoever chooses a regularizer by its landscape and estimates with it on the same windows uses these data twice.",
    table(
      "Ledger",
      ["Command", "Split", "Purpose", "Regularizer"],
      ledger.map((entry) => [
        h("code", {}, entry.command),
        entry.split,
        entry.purpose,
        entry.regularizer ?? "",
      ]),
    ),
  );
}
