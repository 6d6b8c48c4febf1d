// Lines across a whole map through one point, each with a halo that sets it off from the colours: made where the map
// is made, and moved.
import { s } from "../dom";
import type { Box } from "./frame";

const styles = ["halo", "hair"];

export class Hairs {
  private readonly across = s("g");
  private readonly upward = s("g");
  readonly element = s("g", {}, this.across, this.upward);

  draw(box: Box): void {
    const upright = { x1: 0, x2: 0, y1: box.top, y2: box.bottom };
    const level = { x1: box.left, x2: box.right, y1: 0, y2: 0 };
    this.across.replaceChildren(...styles.map((style) => s("line", { class: style, ...upright })));
    this.upward.replaceChildren(...styles.map((style) => s("line", { class: style, ...level })));
  }

  moveTo(across: number, up: number): void {
    this.across.setAttribute("transform", `translate(${across.toFixed(2)} 0)`);
    this.upward.setAttribute("transform", `translate(0 ${up.toFixed(2)})`);
  }
}
