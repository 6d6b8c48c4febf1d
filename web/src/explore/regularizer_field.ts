// The field R =: what the page knows is shown at once; a new mean is asked of the networks first.
import { h } from "../dom";
import { ExpressionField } from "../landscape/expression_field";
import type { Candidates } from "../landscape/candidates";
import type { LandscapeGrid } from "../landscape/grid";
import { UnknownMean } from "../language/equation_error";
import { Refusal } from "./connection";

const patience = 400;
const help = "Candidates, parameters, L, rmse, nrmse, mean(…)";

export class RegularizerField {
  readonly element: HTMLElement;
  private readonly field: ExpressionField;
  private readonly status = h("p", { class: "note", role: "status" });
  private timer = 0;
  private typed = "";

  /** `askMeans` makes the means of an expression known. */
  constructor(
    private readonly candidates: Candidates,
    private readonly grid: () => LandscapeGrid | null,
    private readonly onText: (text: string) => void,
    private readonly askMeans: (text: string) => Promise<void>,
  ) {
    this.field = new ExpressionField(
      (text) => this.accept(text),
      () => {},
      help,
    );
    this.element = h("div", { class: "regularizer" }, this.field.element, this.status);
  }

  set text(text: string) {
    this.field.text = text;
  }

  private accept(text: string): void {
    this.typed = text;
    window.clearTimeout(this.timer);
    this.status.textContent = "";
    const grid = this.grid();
    if (!grid) return this.onText(text);
    try {
      this.candidates.check(text, grid);
    } catch (error) {
      if (!(error instanceof UnknownMean)) throw error;
      this.status.textContent = "Asking the networks for a new mean…";
      this.timer = window.setTimeout(() => void this.ask(text), patience);
      return;
    }
    this.onText(text);
  }

  private async ask(text: string): Promise<void> {
    try {
      await this.askMeans(text);
      if (this.typed === text) this.status.textContent = "";
    } catch (error) {
      if (this.typed !== text) return;
      this.field.refuse(
        error instanceof Refusal ? error.message : String(error),
        error instanceof Refusal ? error.help : "",
      );
      this.status.textContent = "";
    }
  }
}
