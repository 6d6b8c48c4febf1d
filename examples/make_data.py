#!/usr/bin/env python3
"""Makes two-compartment.csv and oscillator.csv: small, noisy, with known truth. Standard library only."""
import math
import random


def rk4(derivative, state, t, h):
    def shifted(k, s):
        return [x + s * dx for x, dx in zip(state, k)]
    k1 = derivative(t, state)
    k2 = derivative(t + h / 2, shifted(k1, h / 2))
    k3 = derivative(t + h / 2, shifted(k2, h / 2))
    k4 = derivative(t + h, shifted(k3, h))
    return [x + h / 6 * (a + 2 * b + 2 * c + d) for x, a, b, c, d in zip(state, k1, k2, k3, k4)]


def advance(derivative, state, start, end, largest_step):
    n = max(1, math.ceil((end - start) / largest_step))
    h = (end - start) / n
    for i in range(n):
        state = rk4(derivative, state, start + i * h, h)
    return state


def two_compartment(rng):
    """Michaelis–Menten elimination (vmax 40 mg/h, km 8 mg/l), exchange 1.2 l/h, a ramped infusion per patient."""
    rows = ["series,time,infusion,concentration"]
    for patient in range(20):
        peak = rng.uniform(20, 80)
        times = sorted({0.0, *(round(rng.uniform(0.3, 23.5), 2) for _ in range(rng.randint(8, 12)))})
        infusion = [peak * max(0.0, 1 - t / rng.uniform(3, 6)) for t in times]

        def dose(t):
            for (t0, u0), (t1, u1) in zip(zip(times, infusion), zip(times[1:], infusion[1:])):
                if t0 <= t <= t1:
                    return u0 + (u1 - u0) * (t - t0) / (t1 - t0)
            return infusion[-1]

        def derivative(t, s):
            blood, tissue = s[0] / 10, s[1] / 20
            flow = 1.2 * (blood - tissue)
            return [dose(t) - 40 * blood / (8 + blood) - flow, flow]

        state = [10 * rng.uniform(5, 20), 0.0]
        for i, t in enumerate(times):
            if i > 0:
                state = advance(derivative, state, times[i - 1], t, 0.02)
            measured = state[0] / 10 * (1 + 0.03 * rng.gauss(0, 1))
            cell = "" if i > 1 and rng.random() < 0.03 else f"{measured:.4f}"
            rows.append(f"patient{patient + 1},{t:g},{infusion[i]:.3f},{cell}")
    return rows


def oscillator(rng):
    """Stiffness 4 /s², damping 0.3 /s plus a quadratic part; sampled every 0.05 s."""
    rows = ["series,time,position"]
    for release in range(10):
        state = [rng.uniform(-1, 1), rng.uniform(-1, 1)]
        for i in range(101):
            rows.append(f"{release + 1},{0.05 * i:.2f},{state[0] + 0.002 * rng.gauss(0, 1):.5f}")
            state = advance(lambda t, s: [s[1], -4 * s[0] - 0.3 * s[1] - 0.1 * s[1] * abs(s[1])],
                            state, 0.05 * i, 0.05 * (i + 1), 0.01)
    return rows


if __name__ == "__main__":
    for name, make in (("two-compartment", two_compartment), ("oscillator", oscillator)):
        with open(f"{name}.csv", "w", encoding="utf-8") as file:
            file.write("\n".join(make(random.Random(1))) + "\n")
