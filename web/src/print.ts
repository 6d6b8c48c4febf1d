// On paper nothing can be opened, so that everything is opened before printing and closed again after.

export function openForPrint(): void {
  let opened: HTMLDetailsElement[] = [];
  window.addEventListener("beforeprint", () => {
    opened = [
      ...document.querySelectorAll<HTMLDetailsElement>("details:not([open]):not(.alternative):not(.weights)"),
    ];
    for (const details of opened) details.open = true;
  });
  window.addEventListener("afterprint", () => {
    for (const details of opened) details.open = false;
    opened = [];
  });
}
