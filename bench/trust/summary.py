"""Prints the confusion table and the rates."""
from collections import Counter

from tool import REFUSALS

RIGHT = 0.9  # of healthy cases, in a small set


def percent(part, whole):
    return f"{part} of {whole}" + (f" ({100 * part / whole:.1f} %)" if whole else "")


def expected(case):
    return case["accepted"][0] if len(case["accepted"]) == 1 else "either" if len(case["accepted"]) > 2 \
        else " or ".join(case["accepted"])


def confusion(cases):
    rows, columns = sorted({expected(c) for c in cases}), sorted({c["finding"] for c in cases})
    counts = Counter((expected(c), c["finding"]) for c in cases)
    width = max([len(r) for r in rows] + [5]) + 2
    lines = ["true".ljust(width) + "".join(c.rjust(len(c) + 3) for c in columns)]
    for row in rows:
        lines.append(row.ljust(width) + "".join(str(counts[row, c] or "·").rjust(len(c) + 3) for c in columns))
    return lines


def rates(cases):
    n = len(cases)
    outcomes = Counter(c["outcome"] for c in cases)
    claims = [c for c in cases if c["finding"] in ("identifiable", "one-sided", "determined by the data")]
    held = sum(c["held"] and c["accepted"] != ["flat"] for c in claims)
    return [f"right {percent(outcomes['right'], n)}; overclaiming {percent(outcomes['overclaim'], n)}; "
            f"weaker {percent(outcomes['weaker'], n)}; refused {percent(outcomes['refused'], n)}",
            f"intervals of claims that hold the true minimiser: {percent(held, len(claims))}"]


def by_parameters(cases):
    lines = []
    for low, high in ((1, 2), (3, 6), (7, 10), (11, 20)):
        part = [c for c in cases if low <= c["n_parameters"] <= high]
        if part:
            lines.append(f"  {low} to {high} parameters: " + "; ".join(rates(part)))
    return lines


def print_group(title, cases):
    if not cases:
        return
    print(f"\n{title}: {len({c['model'] for c in cases})} models, {len(cases)} cases")
    print("\n".join("  " + line for line in confusion(cases) + rates(cases)))
    print("\n".join(by_parameters(cases)))
    for case in cases:
        if case["outcome"] == "overclaim":
            print(f"  overclaim: {case['model']}: {case['sentence']} | true: {'/'.join(case['accepted'])} "
                  + ", ".join(f"{m:.4g}" for m in case["minimisers"]))


def print_summary(cases, combinations, fits):
    healthy = [c for c in cases if not c["sick"]]
    sick = [c for c in cases if c["sick"]]
    print_group("healthy", healthy)
    print_group("sick on purpose", sick)
    alarmed = {c["model"] for c in healthy if c["finding"] in REFUSALS} | {m for m, (s, w) in fits.items() if not s and w == "does not fit"}
    print(f"\nfalse alarms: {percent(len(alarmed), len({c['model'] for c in healthy}))} healthy models with a refusal"
          + (": " + ", ".join(sorted(alarmed)) if alarmed else ""))
    print("combinations named: " + ", ".join(f"{v} {k}" for k, v in Counter(c["outcome"] for c in combinations).items()))
    for row in combinations:
        if row["outcome"] in ("wrong", "approximate"):
            print(f"  {row['outcome']}: {row['model']}: {row['regularizer']} determines {row['text']} "
                  f"(varies by {100 * row['spread']:.0f} % of its range along the true minimum)")


def print_bands(bands):
    """Whether bands of landscapes hold the true R, of healthy and of sick runs."""
    for title, is_sick in (("healthy", False), ("sick", True)):
        held = [one for sick, of_model in bands.values() if bool(sick) == is_sick for one in of_model]
        if held:
            print(f"bands that hold the true R, {title}: {percent(sum(held), len(held))}")
            poor = {name: percent(sum(h), len(h)) for name, (sick, h) in bands.items()
                    if bool(sick) == is_sick and h and sum(h) < 0.9 * len(h)}
            for name, text in poor.items():
                print(f"  {name}: {text}")


def violations(cases):
    """Goals that are missed: what a test of a few models can tell."""
    healthy, sick = [c for c in cases if not c["sick"]], [c for c in cases if c["sick"]]
    lines = [f"{c['model']}: {c['sentence']}" for c in cases if c["outcome"] == "overclaim"]
    n_right = sum(c["outcome"] == "right" for c in healthy)
    if n_right < RIGHT * len(healthy):
        lines.append(f"right {percent(n_right, len(healthy))} of healthy cases")
    if not healthy or not sick:
        lines.append("there are no cases to judge")
    return lines
