// How long it takes from a move of the hand to the picture of it, in the browser's own record.
const mostKept = 2000;

export class Timing {
  private begun: number | null = null;
  private n = 0;

  begin(): void {
    this.begun ??= performance.now();
  }

  /** What was asked for is drawn with the next picture. */
  end(): void {
    const { begun } = this;
    if (begun === null) return;
    this.begun = null;
    // A message that is sent just before a picture is painted arrives after it.
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        if (++this.n % mostKept === 0) performance.clearMeasures("drag to paint");
        performance.measure("drag to paint", { start: begun, end: performance.now() });
        port1.close();
      };
      port2.postMessage(null);
    });
  }
}
