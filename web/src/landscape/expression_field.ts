// The field in which any expression over candidates, means and parameters can be typed, with helpful errors.
import { h, uniqueId } from "../dom";
import { sentence } from "../format";
import { EquationError } from "../language/equation_error";

// Words between backticks are code.
function withCode(text: string): (HTMLElement | string)[] {
  return text.split("`").map((part, k) => (k % 2 ? h("code", {}, part) : part));
}

function refusal(message: string, help: string): HTMLElement[] {
  return [
    h("p", {}, h("strong", {}, ...withCode(sentence(message)))),
    ...(help ? [h("p", {}, ...withCode(sentence(help)))] : []),
  ];
}

function errorNotice(text: string, error: EquationError): HTMLElement[] {
  const width = Math.max(1, error.end - error.begin);
  return [
    h("p", {}, h("strong", {}, ...withCode(error.message))),
    h("pre", { "aria-hidden": "true" }, `${text}\n${" ".repeat(error.begin)}${"^".repeat(width)}`),
    h("p", {}, ...withCode(sentence(error.help))),
  ];
}

export class ExpressionField {
  readonly element: HTMLElement;
  private readonly input: HTMLInputElement;
  private readonly notice: HTMLElement;

  /** `accept` throws EquationError when it cannot use the text; `onRead` hears whether it could. */
  constructor(
    private readonly accept: (text: string) => void,
    private readonly onRead: (isValid: boolean) => void,
    help: string,
  ) {
    const id = uniqueId("expression");
    const noticeId = uniqueId("mistake");
    const helpId = uniqueId("help");
    this.notice = h("div", { id: noticeId, class: "mistake", role: "alert", hidden: true });
    this.input = h("input", {
      id,
      type: "text",
      class: "expression",
      spellcheck: "false",
      autocomplete: "off",
      autocapitalize: "off",
      "aria-describedby": `${helpId} ${noticeId}`,
      input: () => this.read(),
    });
    this.element = h(
      "div",
      { class: "field" },
      h("label", { for: id }, "R ="),
      this.input,
      h("p", { id: helpId, class: "hint" }, help),
      this.notice,
    );
  }

  set text(text: string) {
    this.input.value = text;
    this.read();
  }

  /** What stands there cannot be used, as was found out later. */
  refuse(message: string, help: string): void {
    this.say(refusal(message, help));
  }

  private say(notice: HTMLElement[]): void {
    this.notice.replaceChildren(...notice);
    this.notice.hidden = false;
    this.input.setAttribute("aria-invalid", "true");
    this.onRead(false);
  }

  /** Reads what stands there once more, for instance because names have changed. */
  read(): void {
    const text = this.input.value;
    try {
      this.accept(text);
      this.notice.hidden = true;
      this.input.removeAttribute("aria-invalid");
      this.onRead(true);
    } catch (error) {
      if (!(error instanceof EquationError)) throw error;
      this.say(errorNotice(text, error));
    }
  }
}
