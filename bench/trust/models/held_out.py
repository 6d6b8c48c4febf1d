"""Models on which nothing was chosen: written before any of them was judged, to report how often verdicts are right."""
from dataclasses import replace

from hybrid_model import HybridModel
from prior import lognormal, normal, uniform

X = {"x": (-2.0, 2.0)}
POSITIVE = {"x": (0.1, 5.0)}
FOUR = {f"x{i}": (-1.0, 1.0) for i in range(1, 5)}
PLANE = {"x": (-1.2, 1.2), "y": (-1.2, 1.2)}
JOINT = {"q": (-1.5, 1.5), "v": (-1.5, 1.5)}
STOCKS = {"x": (0.3, 2.0), "y": (0.2, 1.5)}
TRIPLE = {"x": (0.3, 1.5), "y": (0.3, 1.5), "z": (0.3, 1.5)}


def held_out(name, *equations, **changes):
    return HybridModel(name, *equations, held_out=True, **changes)


def chebyshev(n):
    """n Chebyshev polynomials of four inputs, from the first order to the fifth."""
    orders = ("{0}", "(2*{0}^2 - 1)", "(4*{0}^3 - 3*{0})", "(8*{0}^4 - 8*{0}^2 + 1)", "(16*{0}^5 - 20*{0}^3 + 5*{0})")
    terms = [order.format(name) for order in orders for name in FOUR][:n]
    values = [round(0.9 * (-0.7) ** (i % 5) + 0.15 * (i % 3), 3) for i in range(n)]
    return held_out(f"chebyshev-{n}", {f"h{i}": uniform(-2, 2.5) for i in range(n)},
                    {"y": " + ".join(f"h{i}*{t}" for i, t in enumerate(terms))},
                    {"y": " + ".join(f"({v})*{t}" for v, t in zip(values, terms)) + " + 0.4*sin(3*x1*x2) + 0.3*x3*x4"},
                    FOUR, windows=1000, regularizers=("normD",), epochs=500, layers=(32, 32))


def rate_ties(n):
    """n differences of two rates each before a term: only the differences are determined."""
    names = list(FOUR)
    theory = " + ".join(f"(u{i} - d{i})*{names[i]}" for i in range(n))
    true = " + ".join(f"({0.6 - 0.3 * i:g})*{names[i]}" for i in range(n))
    parameters = {f"{letter}{i}": uniform(0, 2) for i in range(n) for letter in "ud"}
    return held_out(f"differences-{2 * n}", parameters, {"y": theory}, {"y": true + " + 0.5*x1*x2*x3"}, FOUR, windows=700,
                    regularizers=("normD",), epochs=500)


def linear_network(n):
    """A linear network of n states with every coefficient and every source free."""
    names = [f"s{i}" for i in range(n)]
    values = {(i, j): (-1.2 if i == j else round(0.5 * (-1) ** (i + j) / (1 + abs(i - j)), 3)) for i in range(n) for j in range(n)}
    sources = [round(0.4 - 0.2 * i, 3) for i in range(n)]
    parameters = {f"b{i}": uniform(-1.5, 1.5) for i in range(n)} | {f"A{i}{j}": uniform(-2, 2) for i in range(n) for j in range(n)}
    theory = {names[i]: f"b{i} + " + " + ".join(f"A{i}{j}*{names[j]}" for j in range(n)) for i in range(n)}
    true = {names[i]: f"{sources[i]} + " + " + ".join(f"({values[i, j]})*{names[j]}" for j in range(n)) + f" - 0.2*{names[i]}^3"
            for i in range(n)}
    return held_out(f"linear-states-{n * n + n}", parameters, theory, true, state={name: (-1.2, 1.2) for name in names}, windows=500,
                    regularizers=("normD",), layers=(32, 32), activation="silu", epochs=250, dt=0.15)


ALGEBRAIC = [
    held_out("peak", {"A": uniform(0.5, 4), "m": uniform(-1.5, 1.5), "s": uniform(0.3, 1.5)}, {"y": "A*exp(-(x - m)^2/(2*s^2))"},
             {"y": "2*exp(-(x - 0.4)^2/(2*0.49)) + 0.15*cos(3*x)"}, {"x": (-3.0, 3.0)}, windows=400),
    held_out("vapour-pressure-raw", {"A": uniform(15, 35), "B": uniform(2000, 9000)}, {"p": "A - B/(T - 40)"},
             {"p": "23.5 - 3900/(T - 40) + 0.1*sin(T/12)"}, {"T": (280.0, 400.0)}),
    held_out("prefactor-raw", {"k0": lognormal(23.0, 1.0), "E": uniform(6e4, 9e4)}, {"r": "k0*exp(-E/(8.314*T))"},
             {"r": "1.1e10*exp(-7.4e4/(8.314*T))*(1 + 0.15*cos(T/9))"}, {"T": (330.0, 420.0)}, windows=400),
    held_out("ramberg-osgood-raw", {"E": uniform(4e10, 2.5e11), "K": lognormal(-5.5, 0.6)}, {"e": "s/E + K*(s/3e8)^5"},
             {"e": "s/1.1e11 + 4e-3*(s/3e8)^5 + 2e-4*sin(s/4e7)"}, {"s": (1e7, 4e8)}, windows=500),
    held_out("inhibition", {"V": uniform(0.5, 4), "K": lognormal(-0.3, 0.6), "Ki": lognormal(0.0, 0.7)}, {"v": "V*S/(K*(1 + I/Ki) + S)"},
             {"v": "2*S/(0.8*(1 + I/0.9) + S) + 0.1*S*cos(2*I)"}, {"S": (0.1, 4.0), "I": (0.0, 3.0)}, windows=700),
    held_out("hyperbola", {"a": uniform(-2, 2), "b": uniform(0.2, 3)}, {"y": "sqrt(a^2 + b*x^2)"},
             {"y": "sqrt(1.1 + 1.5*x^2) + 0.15*sin(3*x)"}, X),
    held_out("squared-ratio", {"a": uniform(0.5, 2), "b": uniform(0.5, 2)}, {"y": "(a/b)^2*x"}, {"y": "1.3*x + 0.4*cos(3*x)"}, X),
    held_out("three-factors", {"a": uniform(0.5, 2), "b": uniform(0.5, 2), "c": uniform(0.5, 2)}, {"y": "a*b*c*tanh(2*x)"},
             {"y": "1.5*tanh(2*x) + 0.3*cos(3*x)"}, X),
    held_out("weighted-difference", {"a": uniform(0, 4), "b": uniform(0, 2)}, {"y": "(a - 2*b)*tanh(x)"}, {"y": "0.7*tanh(x) + 0.3*x^2"}, X),
    held_out("nearly-the-same", {"a": uniform(-2, 3), "b": uniform(-2, 3)}, {"y": "a*sin(x) + b*x"}, {"y": "0.8*sin(x) + 0.6*x + 0.3*cos(4*x)"},
             {"x": (-1.0, 1.0)}),
    held_out("mostly-oscillation", {"a": uniform(-3, 4), "b": uniform(-2, 2)}, {"y": "a*x + b*x^3"}, {"y": "x - 0.4*x^3 + 9*cos(4*x)"}, X,
             windows=1500, epochs=500),
    held_out("exact-plane", {"a": normal(0.0, 1.0), "b": normal(1.0, 0.7)}, {"y": "a*u + b*w^2"}, {"y": "0.6*u + 1.4*w^2 + 0.4*sin(3*u*w)"},
             {"u": (-1.0, 1.0), "w": (-1.0, 1.0)}, noise=0.0, windows=400, regularizers=("normD", "corr", "normdif")),
    held_out("fifteen-percent", {"A": uniform(-1, 3), "C": uniform(-2, 2)}, {"y": "A*exp(-x) + C"}, {"y": "1.4*exp(-x) - 0.5 + 0.3*sin(3*x)"},
             {"x": (0.0, 3.0)}, noise=0.15, windows=900, epochs=600),
    held_out("thirty-samples", {"a": uniform(-1, 4)}, {"y": "a*log(x + 1)"}, {"y": "1.3*log(x + 1) + 0.2*sin(2*x)"}, POSITIVE, windows=30,
             noise=0.03),
    held_out("wide-lognormal", {"g": lognormal(0.0, 1.2), "n": normal(1.0, 0.4)}, {"y": "g*x^n"}, {"y": "1.8*x^0.8 + 0.2*cos(2*x)"}, POSITIVE,
             windows=400),
    chebyshev(10), chebyshev(16), rate_ties(3),
    held_out("even-correction", {"a": uniform(-2, 3), "b": uniform(-2, 2)}, {"y": "a*x + b*x^2"}, {"y": "0.8*x + 0.5*x^2 + 0.3*cos(3*x)"}, X,
             constraints={"even": ("x",)}, network_inputs=("x",), scaled=False, determined={"a": 0.8}, regularizers=("normD",)),
    held_out("sees-temperature", {"a": uniform(-1, 4), "b": uniform(-1, 3), "c": uniform(-2, 2)}, {"y": "a*u + b*u^2 + c*w"},
             {"y": "1.5*u + 0.8*u^2 + 0.4*w + 0.5*cos(3*w)"}, {"u": (-1.0, 1.0), "w": (-1.5, 1.5)}, network_inputs=("w",),
             determined={"a": 1.5, "b": 0.8}, windows=500),
]

DIFFERENTIAL = [
    held_out("roessler", {"a": uniform(-0.5, 1), "c": uniform(0, 6)}, {"x": "-y - z", "y": "x + a*y", "z": "0.2 + z*(x - c)"},
             {"x": "-y - z", "y": "x + 0.3*y - 0.05*y^3", "z": "0.2 + z*(x - 2.5)"}, state={"x": (-2.0, 2.0), "y": (-2.0, 2.0), "z": (0.0, 2.0)},
             dt=0.08, regularizers=("normD",), windows=400),
    held_out("autocatalysis", {"F": uniform(0, 1), "k": uniform(0, 0.8)}, {"u": "F*(1 - u) - u*v^2", "v": "u*v^2 - (F + k)*v"},
             {"u": "0.3*(1 - u) - u*v^2 + 0.1*u^2", "v": "u*v^2 - (0.3 + 0.25)*v"}, state={"u": (0.2, 1.2), "v": (0.1, 1.2)}, dt=0.2,
             regularizers=("normD", "both")),
    held_out("glycolysis", {"a": uniform(0, 0.5), "b": uniform(0.2, 1.5)}, {"x": "-x + a*y + x^2*y", "y": "b - a*y - x^2*y"},
             {"x": "-x + 0.12*y + x^2*y - 0.1*x^3", "y": "0.7 - 0.12*y - x^2*y"}, state={"x": (0.3, 1.8), "y": (0.3, 2.0)}),
    held_out("haldane-raw", {"mu": lognormal(-0.6, 0.5), "Ks": lognormal(3.0, 0.6)}, {"X": "mu*S/(Ks + S + S^2/300)*X", "S": "-1.8*mu*S/(Ks + S + S^2/300)*X"},
             {"X": "0.6*S/(25 + S + S^2/300)*X - 0.03*X", "S": "-1.8*0.6*S/(25 + S + S^2/300)*X"}, state={"X": (5.0, 40.0), "S": (30.0, 400.0)},
             dt=0.25),
    held_out("virus-raw", {"beta": lognormal(-17.0, 0.6), "delta": uniform(0.1, 1.5), "c": uniform(0.5, 6)},
             {"T": "1e5 - 0.1*T - beta*T*V", "I": "beta*T*V - delta*I", "V": "12*I - c*V"},
             {"T": "1e5 - 0.1*T - 4e-8*T*V - 2e-8*T^2", "I": "4e-8*T*V - 0.6*I", "V": "12*I - 3*V"},
             state={"T": (3e5, 1.2e6), "I": (5e3, 1e5), "V": (5e4, 8e5)}, dt=0.1, windows=400, regularizers=("normD",),
             source="HIV dynamics, all three observed"),
    held_out("epidemic-million", {"beta": lognormal(0.0, 0.5), "gamma": lognormal(-1.0, 0.6)}, {"i": "beta*i*(1e6 - i)/1e6 - gamma*i"},
             {"i": "1.2*i*(1e6 - i)/1e6 - 0.35*i - 0.2*i^2/(3e5 + i)"}, state={"i": (1e4, 8e5)}, dt=0.3),
    held_out("grazing", {"r": uniform(0.2, 2), "a": uniform(0.2, 2)}, {"x": "r*x*(1 - x/2.5) - a*x^2*y/(1 + x^2)", "y": "0.5*x^2*y/(1 + x^2) - 0.3*y"},
             {"x": "0.9*x*(1 - x/2.5) - 0.8*x^2*y/(1 + x^2) + 0.1*sin(3*x)", "y": "0.5*x^2*y/(1 + x^2) - 0.3*y - 0.05*y^2"}, state=STOCKS, dt=0.2),
    held_out("threshold-growth", {"r": uniform(0.1, 1.5), "A": uniform(0.2, 1), "K": uniform(1.5, 4)}, {"x": "r*x*(x/A - 1)*(1 - x/K)"},
             {"x": "0.4*x*(x/0.6 - 1)*(1 - x/2.5) - 0.05*x^2"}, state={"x": (0.2, 2.8)}, windows=400, regularizers=("normD",)),
    held_out("motor", {"R": uniform(0.5, 3), "J": uniform(0.2, 1.5), "b": uniform(0, 0.8)}, {"i": "u - R*i - 0.5*w", "w": "(0.8*i - b*w)/J"},
             {"i": "u - 1.2*i - 0.5*w", "w": "(0.8*i - 0.2*w)/0.5 - 0.3*tanh(3*w)"}, {"u": (-1.0, 2.0)}, state={"i": (-1.0, 1.5), "w": (-1.0, 1.5)},
             windows=400),
    held_out("thermal-pair-raw", {"U": uniform(2, 30), "C": uniform(2e3, 2e4)}, {"T1": "(P - U*(T1 - T2))/C", "T2": "(U*(T1 - T2) - 5*(T2 - 293))/8000"},
             {"T1": "(P - 11*(T1 - T2))/7000", "T2": "(11*(T1 - T2) - 5*(T2 - 293))/8000 - 2e-12*(T2^4 - 293^4)"}, {"P": (0.0, 400.0)},
             state={"T1": (295.0, 380.0), "T2": (294.0, 350.0)}, dt=60.0),
    held_out("coupled-phases", {"w1": uniform(0, 3), "w2": uniform(0, 3), "K": uniform(-1, 3)}, {"p": "w1 + K*sin(q - p)", "q": "w2 + K*sin(p - q)"},
             {"p": "1.4 + 0.9*sin(q - p)", "q": "1 + 0.9*sin(p - q) + 0.2*cos(p)"}, state={"p": (-3.0, 3.0), "q": (-3.0, 3.0)}),
    held_out("replicator", {"a": uniform(-1, 3), "b": uniform(-1, 3)}, {"x": "x*(1 - x)*(a*(1 - x) - b*x)"},
             {"x": "x*(1 - x)*(1.2*(1 - x) - 0.8*x) + 0.05*sin(6*x)"}, state={"x": (0.05, 0.95)}, dt=0.3),
    held_out("two-masses", {"k": uniform(1, 8), "kc": uniform(0, 4), "m2": uniform(0.4, 2)},
             {"q1": "v1", "q2": "v2", "v1": "-k*q1 - kc*(q1 - q2)", "v2": "-kc*(q2 - q1)/m2 - 0.4*v2"},
             {"q1": "v1", "q2": "v2", "v1": "-4*q1 - 1.5*(q1 - q2) - 0.5*v1*abs(v1)", "v2": "-1.5*(q2 - q1)/0.8 - 0.4*v2"},
             state={"q1": (-1.0, 1.0), "q2": (-1.0, 1.0), "v1": (-1.5, 1.5), "v2": (-1.5, 1.5)}, network_outputs=("v1",), windows=400,
             source="kc and m2 enter the second mass's equation as a ratio only"),
    held_out("oral-dose", {"ka": uniform(0.2, 3), "ke": uniform(0.05, 1)}, {"g": "-ka*g", "c": "ka*g - ke*c"},
             {"g": "-1.1*g", "c": "1.1*g - 0.3*c - 0.4*c/(1 + c)"}, state={"g": (0.3, 2.5), "c": (0.1, 1.5)}, network_outputs=("c",),
             determined={"ka": 1.1}, dt=0.2, source="absorption and elimination, gut and blood observed"),
    held_out("cascade", {"p": uniform(0.2, 2), "q": uniform(0.2, 2), "r": uniform(0.2, 2), "s": uniform(0.2, 2), "f": uniform(0, 2)},
             {"x": "f - x*y", "y": "p*x - q*y", "z": "r*y^2 - s*z"}, {"x": "0.9 - x*y - 0.2*x^2", "y": "0.8*x - 0.7*y", "z": "0.9*y^2 - 1.1*z"},
             state=TRIPLE, dt=0.2, network_outputs=("x",), determined={"p": 0.8, "q": 0.7, "r": 0.9, "s": 1.1}, windows=400,
             regularizers=("normD",), source="a cascade whose input alone is corrected"),
    held_out("unseen-drug", {"r": uniform(0.2, 2), "e": uniform(0.2, 2)}, {"n": "r*n - e*n*c", "c": "-0.7*c"},
             {"n": "0.9*n - 1.1*n*c - 0.15*n^2", "c": "-0.7*c"}, state={"n": (0.4, 2.0), "c": (0.3, 1.8)}, hidden_states=("c",),
             network_outputs=("n",), dt=0.2, length=10, windows=250, source="a drug that is given and not measured"),
    held_out("unseen-complex", {"k": uniform(0.3, 3)}, {"s": "-k*s + 0.4*x", "x": "k*s - 1.2*x"}, {"s": "-1.3*s + 0.4*x - 0.2*s^2", "x": "1.3*s - 1.2*x"},
             state={"s": (0.5, 2.5), "x": (0.0, 1.0)}, hidden_states=("x",), network_outputs=("s",), dt=0.1, length=10, windows=250,
             source="an enzyme's complex"),
    held_out("unseen-moisture-lacks", {"d": uniform(0.2, 2), "g": uniform(0.2, 2)}, {"w": "-d*w", "p": "g*w - 0.6*p"},
             {"w": "-0.9*w - 0.3*w^2", "p": "1.1*w - 0.6*p - 0.15*p^2"}, state={"w": (0.5, 2.0), "p": (0.2, 1.2)}, hidden_states=("w",),
             network_outputs=("p",), dt=0.2, length=10, windows=250, lacks_in_hidden=True, source="soil moisture and a plant"),
    held_out("unseen-bath-learned-start", {"h": uniform(0.3, 3)}, {"b": "0.3 - 0.5*b", "x": "h*(b - x)"}, {"b": "0.3 - 0.5*b", "x": "1.2*(b - x) - 0.2*x^3"},
             state={"b": (0.2, 2.0), "x": (0.0, 1.5)}, hidden_states=("b",), network_outputs=("x",), dt=0.15, length=10, windows=250,
             learned_starts=True, observed_rows=4, source="a body in a bath that is not measured"),
    held_out("conserved", {"kf": uniform(0.1, 2), "kr": uniform(0.1, 2)}, {"x": "-kf*x + kr*y^2", "y": "kf*x - kr*y^2"},
             {"x": "-0.9*x + 0.6*y^2 - 0.2*sin(2*x)", "y": "0.9*x - 0.6*y^2 + 0.2*sin(2*x)"}, state={"x": (0.2, 2.0), "y": (0.2, 1.5)},
             constraints={"sums_to_zero": True}, scaled=False, regularizers=("normD",), source="what one loses the other gains"),
    held_out("nothing-from-nothing", {"k": uniform(0.2, 3), "c": uniform(-1, 1)}, {"x": "c - k*x"}, {"x": "0.3 - 1.1*x - 0.4*x*abs(x)"},
             state={"x": (-1.5, 2.0)}, constraints={"zero_at_zero": ("x",)}, network_inputs=("x",), scaled=False, determined={"c": 0.3},
             regularizers=("normD",)),
    held_out("noisy-amplitude", {"a": uniform(-1, 2), "w": uniform(0, 4)}, {"x": "a*x - w*y - x*(x^2 + y^2)", "y": "w*x + a*y - y*(x^2 + y^2)"},
             {"x": "0.6*x - 2*y - x*(x^2 + y^2) + 0.2*x*y", "y": "2*x + 0.6*y - y*(x^2 + y^2)"}, state=PLANE, noise=0.1, windows=500, length=10),
    held_out("many-windows", {"k": uniform(0, 4), "c": uniform(0, 2)}, {"q": "v", "v": "-k*q - c*v"}, {"q": "v", "v": "-2*tanh(2*q)/1.2 - 0.5*v"},
             state=JOINT, windows=2000, epochs=80, regularizers=("normD",)),
    held_out("sixty-windows", {"r": uniform(0.1, 2), "h": uniform(0, 1)}, {"x": "r*x*(2 - x) - h*x"}, {"x": "0.7*x*(2 - x) - 0.3*x - 0.15*cos(3*x)"},
             state={"x": (0.2, 2.5)}, windows=60, dt=0.15, epochs=800),
    held_out("speed-squared", {"m": uniform(0.5, 3), "d": uniform(0, 2)}, {"v": "(u - d*v^2)/m"}, {"v": "(u - 0.7*v^2)/1.2 - 0.25*v"}, {"u": (0.0, 2.0)},
             state={"v": (0.0, 2.0)}, dt=0.2),
    linear_network(4),
]

NAMED = {model.name: model for model in ALGEBRAIC + DIFFERENTIAL}


def sick(name, ailment, **changes):
    return replace(NAMED[name], name=f"{name}--{ailment}", sick=ailment, **changes)


MODELS = ALGEBRAIC + DIFFERENTIAL + [
    sick("peak", "5-epochs", epochs=5),
    sick("inhibition", "5-epochs", epochs=5),
    sick("autocatalysis", "5-epochs", epochs=5),
    sick("motor", "5-epochs", epochs=5),
    sick("cascade", "5-epochs", epochs=5),
    sick("unseen-drug", "5-epochs", epochs=5),
    sick("grazing", "2-hidden-units", layers=(2,), epochs=100),
    sick("hyperbola", "2-hidden-units", layers=(2,), epochs=100),
    sick("coupled-phases", "2-hidden-units", layers=(2,), epochs=100),
    sick("glycolysis", "wide-prior", parameters={"a": uniform(0, 40), "b": uniform(0, 60)}, epochs=60),
    sick("replicator", "wide-prior", parameters={"a": uniform(-100, 100), "b": uniform(-100, 100)}, epochs=60),
    sick("two-masses", "rate-too-low", rate=(1e-5, 1e-6)),
    sick("threshold-growth", "diverging-region", parameters={"r": uniform(0.1, 60), "A": uniform(0.02, 1), "K": uniform(1.5, 4)}, epochs=40),
    sick("many-windows", "5-windows", windows=5),
]
