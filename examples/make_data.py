#!/usr/bin/env python3
"""Makes the small data sets of the examples, with known truth: CSV, and npz of fields. Standard library only."""
import array
import math
import random
import zipfile


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


def robertson(rng):
    """Robertson's reaction: A → B (0.04 /s), 2 B → B + C (3e7), B + C → A + C (1e4)."""

    def derivative(_t, s):
        slow, fast, back = 0.04 * s[0], 3e7 * s[1] * s[1], 1e4 * s[1] * s[2]
        return [back - slow, slow - back - fast, fast]

    rows = ["series,time,A,B,C"]
    for flask in range(24):
        state = [rng.uniform(0.5, 1.5), 0.0, rng.choice([0.0, rng.uniform(0, 0.4)])]
        times = [0.0] + [0.01 * 4000 ** (k / 11) for k in range(12)]
        for i, t in enumerate(times):
            if i > 0:
                state = advance(derivative, state, times[i - 1], t, 2e-4)
            a, b, c = (x * (1 + 0.01 * rng.gauss(0, 1)) for x in state)
            rows.append(f"flask{flask + 1},{t:.4g},{a:.5f},{b:.4e},{c:.5f}")
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


def poisson(rng, mean):
    """Arrivals of a unit rate up to `mean`."""
    count, total = 0, rng.expovariate(1)
    while total < mean:
        count += 1
        total += rng.expovariate(1)
    return count


def outbreaks(rng):
    """Contact rate 1.6 /day, recovery 0.4 /day; people keep apart as more are ill. Daily counts of a sample of beds."""
    rows = ["series,time,susceptible,cases"]
    for school in range(24):
        people = rng.randint(300, 900)
        ill = rng.randint(2, 12)
        state = [float(people - ill), float(ill)]
        for day in range(15):
            rows.append(f"school{school + 1},{day},{state[0]:.0f},{poisson(rng, state[1]) if day else ill}")

            def derivative(t, s, n=people):
                infections = 1.6 * s[0] * s[1] / n / (1 + 3 * s[1] / n)
                return [-infections, infections - 0.4 * s[1]]

            state = advance(derivative, state, day, day + 1, 0.05)
    return rows


def rod(rng):
    """Heat in a rod of two materials (conductivity 0.012 k with k = 1 and 0.4), warmed by a heater around x = 0.3."""
    width, n_steps, n_series = 32, 11, 16
    dx = 1 / (width - 1)
    conductivity = [1.0 if i < width // 2 else 0.4 for i in range(width)]
    heater = [1.5 * math.exp(-(((i * dx - 0.3) / 0.12) ** 2)) for i in range(width)]

    def derivative(_t, u):
        def curvature(i):
            return (u[max(i - 1, 0)] - 2 * u[i] + u[min(i + 1, width - 1)]) / dx**2

        return [0.012 * conductivity[i] * curvature(i) + heater[i] for i in range(width)]

    temperature = []
    for _ in range(n_series):
        waves = [(rng.uniform(-1, 1), rng.choice([1, 2, 3])) for _ in range(3)]
        state = [sum(a * math.cos(math.pi * n * i * dx) for a, n in waves) for i in range(width)]
        for k in range(n_steps):
            temperature += [u + 0.005 * rng.gauss(0, 1) for u in state]
            state = advance(derivative, state, 0.1 * k, 0.1 * (k + 1), 0.02)
    return {
        "time": ([n_steps], [0.1 * k for k in range(n_steps)]),
        "temperature": ([n_series, n_steps, width], temperature),
        "conductivity": ([width], conductivity),
    }


def burgers(rng):
    """Burgers' equation on a ring with viscosity 0.01, slowed by friction -0.8 u; differences are upwind."""
    width, n_steps, n_series = 32, 9, 16
    dx = 1 / width

    def derivative(_t, u):
        rates = []
        for i in range(width):
            before, after = u[i - 1], u[(i + 1) % width]
            slope = (u[i] - before) / dx if u[i] > 0 else (after - u[i]) / dx
            rates.append(-u[i] * slope + 0.01 * (before - 2 * u[i] + after) / dx**2 - 0.8 * u[i])
        return rates

    speed = []
    for _ in range(n_series):
        waves = [(rng.uniform(-0.6, 0.6), n, rng.uniform(0, 2 * math.pi)) for n in (1, 2)]
        mean = rng.uniform(-0.3, 0.3)
        state = [mean + sum(a * math.sin(2 * math.pi * n * i * dx + p) for a, n, p in waves) for i in range(width)]
        for k in range(n_steps):
            speed += [u + 0.003 * rng.gauss(0, 1) for u in state]
            state = advance(derivative, state, 0.1 * k, 0.1 * (k + 1), 0.01)
    return {"time": ([n_steps], [0.1 * k for k in range(n_steps)]), "u": ([n_series, n_steps, width], speed)}


def write_npz(file_name, arrays):
    """Arrays of single precision, as numpy.savez_compressed writes them."""
    with zipfile.ZipFile(file_name, "w", zipfile.ZIP_DEFLATED) as file:
        for name, (shape, values) in arrays.items():
            text = repr({"descr": "<f4", "fortran_order": False, "shape": tuple(shape)})
            text += " " * (-(len(text) + 11) % 64) + "\n"
            header = b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode()
            entry = zipfile.ZipInfo(name + ".npy", (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            file.writestr(entry, header + array.array("f", values).tobytes())


def dosing(rng):
    """Elimination 18 mg/h at most, half of it at 3 mg/l, in 10 l; injections into the blood, and a pump that switches."""
    samples, doses, pump = (["series,time,concentration"], ["series,time,amount"], ["series,time,rate"])
    for patient in range(12):
        name = f"patient{patient + 1}"
        given = [(0.0, rng.choice([40, 60, 80]))]
        given += [(round(8 * k + rng.uniform(-0.7, 0.7), 2), rng.choice([20, 40])) for k in (1, 2)]
        start = round(rng.uniform(3, 6), 2)
        rates = [(0.0, 0.0), (start, rng.choice([4.0, 8.0])), (round(start + rng.uniform(4, 9), 2), 0.0)]
        doses += [f"{name},{t:g},{amount}" for t, amount in given]
        pump += [f"{name},{t:g},{rate:g}" for t, rate in rates]
        times = sorted({0.0, *(round(rng.uniform(0.3, 24), 2) for _ in range(14))})
        state, now = [0.0], 0.0
        for t in times:
            for end in sorted({t, *(s for s, _ in given + rates if now < s < t)}):
                rate = [r for s, r in rates if s <= now][-1]
                state[0] += sum(amount for s, amount in given if s == now and end > now)
                state = advance(lambda _, s, u=rate: [u - 18 * s[0] / (30 + s[0])], state, now, end, 0.02)
                now = end
            samples.append(f"{name},{t:g},{max(state[0] / 10 + 0.02 * rng.gauss(0, 1), 0) if t else 0:.4f}")
    return samples, doses, pump


def tanks(rng):
    """Two tanks in a row, outflow 0.8 and 0.5 √level, the lower one leaks 0.1 of its level; it alone is measured."""
    rows = ["series,time,pump,level,level_above"]
    for run in range(24):
        state = [rng.uniform(0.8, 3), rng.uniform(0.3, 2)]
        pump = rng.uniform(0.2, 1.2)
        for i in range(13):
            if i % 4 == 0:
                pump = rng.uniform(0.2, 1.2)
            rows.append(f"run{run + 1},{0.25 * i:.2f},{pump:.3f},{state[1] + 0.01 * rng.gauss(0, 1):.4f},{state[0]:.4f}")

            def derivative(_t, s, u=pump):
                flow = 0.8 * math.sqrt(max(s[0], 0))
                return [u - flow, flow - 0.5 * math.sqrt(max(s[1], 0)) - 0.1 * s[1]]

            state = advance(derivative, state, 0, 0.25, 0.01)
    return rows


def double_pendulum(rng):
    """Two pendulums of mass and length 1 with friction, read with noise of 0.01, and their changes over 0.05 s."""
    def derivative(_t, s):
        th1, th2, w1, w2 = s
        cosine, sine = math.cos(th1 - th2), math.sin(th1 - th2)
        torque1 = -sine * w2 ** 2 - 2 * 9.81 * math.sin(th1) - 0.2 * w1
        torque2 = sine * w1 ** 2 - 9.81 * math.sin(th2) - 0.2 * w2
        determinant = 2 - cosine ** 2
        return [w1, w2, (torque1 - cosine * torque2) / determinant, (2 * torque2 - cosine * torque1) / determinant]

    rows = ["series,th1,th2,w1,w2,dth1,dth2,dw1,dw2"]
    for swing in range(40):
        state = [rng.uniform(-1.5, 1.5), rng.uniform(-1.5, 1.5), rng.uniform(-1, 1), rng.uniform(-1, 1)]
        for _ in range(25):
            after = advance(derivative, state, 0, 0.05, 0.005)
            cells = [x + 0.01 * rng.gauss(0, 1) for x in state] + [x1 - x0 for x0, x1 in zip(state, after)]
            rows.append(f"swing{swing + 1}," + ",".join(f"{x:.5f}" for x in cells))
            state = advance(derivative, after, 0, 0.1, 0.005)
    return rows


if __name__ == "__main__":
    for file_name, lines in zip(["dosing", "dosing-doses", "dosing-pump"], dosing(random.Random(1))):
        with open(f"{file_name}.csv", "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
    makers = {"two-compartment": two_compartment, "oscillator": oscillator, "outbreaks": outbreaks, "robertson": robertson,
              "tanks": tanks, "double-pendulum": double_pendulum}
    for name, make in makers.items():
        with open(f"{name}.csv", "w", encoding="utf-8") as file:
            file.write("\n".join(make(random.Random(1))) + "\n")
    for name, make in {"rod": rod, "burgers": burgers}.items():
        write_npz(f"{name}.npz", make(random.Random(1)))
