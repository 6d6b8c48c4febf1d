"""Model files for the three data sets, with the authors' settings: what the theory knows differs, nothing else."""

HEAD = """name = "{name}"
scale = "none"

[data]
file   = "{file}"
window = {{ length = {length}, observed = 1 }}
split  = {{ train = 1, validation = 0, test = 0, by = "series" }}
"""

TRAIN = """
[solver]
method = "rk4_38"

[regularizers]
R = "{regularizer}"

[train]
regularizer = "R"
epochs = {epochs}
batch  = {batch}
rate   = {rate}
weight_decay = 0
clip_value   = inf
clip_norm    = inf
validate_every = 0
aphynity = {{ lambda0 = 1, tau = {tau}, every = {every} }}
"""

CONVOLUTION = """
[network.fD]
kind     = "conv2d"
inputs   = ["{0}", "{1}"]
channels = [16, 16]
padding  = "{padding}"
activation = "relu"
outputs  = ["{0}", "{1}"]
"""


def table(name, entries):
    return f"\n[{name}]\n" + "".join(f"{key} = {value}\n" for key, value in entries.items())


def equations(name, entries):
    return table(name, {key: f'"{text}"' for key, text in entries.items()})


def uniform(low, high, start=None):
    begin = "" if start is None else f", start = {start}"
    return f'{{ prior = "uniform", low = {low}, high = {high}{begin} }}'


def pendulum(physics, length, epochs, rate, activation="relu", **_):
    priors = {"stiffness": uniform(0.05, 1, 0.2), "friction": uniform(0, 1, 0.5)}
    force = {"incomplete": "-stiffness * sin(angle)", "complete": "-stiffness * sin(angle) - friction * velocity"}
    return (HEAD.format(name="pendulum", file="data.csv", length=length)
            + parameters(physics, priors, ["stiffness"])
            + equations("state", {"angle": "angle", "velocity": "velocity"})
            + equations("theory", {"angle": "0" if physics == "none" else "velocity", "velocity": force.get(physics, "0")})
            + '\n[network.fD]\nkind = "mlp"\ninputs = ["angle", "velocity"]\nhidden = [200, 200]\n'
              f'activation = "{activation}"\n'
              'outputs = ["angle", "velocity"]\noutput_scale = [0.1, 0.1]\n'
            + equations("observe", {"angle": "angle", "velocity": "velocity"})
            + TRAIN.format(regularizer="mean(at_data(norm2(network) / (angle^2 + velocity^2)))", epochs=epochs, batch=1000,
                           rate=rate if len(rate) > 1 else rate[0], tau=1, every=5))


def fields(name, physics, priors, known, theory, size, spacing, boundary, length, epochs, batch, rate, tau, every):
    names = list(theory["none"])
    grid = {"height": size, "width": size, "spacing": spacing, "boundary": f'"{boundary}"'}
    return (HEAD.format(name=name, file="data.npz", length=length) + parameters(physics, priors, known)
            + table("grid", grid) + equations("state", {n: n for n in names}) + equations("theory", theory[physics])
            + CONVOLUTION.format(*names, padding="periodic" if boundary == "periodic" else "zero")
            + equations("observe", {n: n for n in names})
            + TRAIN.format(regularizer=f"mean(at_data(norm2(network))) / {size * size}", epochs=epochs, batch=batch, rate=rate,
                           tau=tau, every=every))


def reaction_diffusion(physics, size, length, epochs, n_train, batch=8, **_):
    diffusion = {"u": "a * laplacian(u)", "v": "b * laplacian(v)"}
    theory = {"incomplete": diffusion, "none": {"u": "0 * u", "v": "0 * v"},
              "complete": {"u": diffusion["u"] + " + u - u^3 - v - k", "v": diffusion["v"] + " + u - v"}}
    priors = {"a": uniform(0, 0.01), "b": uniform(0, 0.01), "k": uniform(0, 0.05)}
    return fields("reaction-diffusion", physics, priors, ["a", "b"], theory, size, 2 / size, "periodic", length, epochs,
                  batch, 1e-3, tau=1e-3 * per_epoch(n_train, batch), every=1)


def wave(physics, size, length, epochs, n_train, batch=8, **_):
    theory = {"incomplete": {"w": "v", "v": "c^2 * laplacian(w)"}, "none": {"w": "0 * w", "v": "0 * v"},
              "complete": {"w": "v", "v": "c^2 * laplacian(w) - k * v"}}
    priors = {"c": uniform(250, 450), "k": uniform(0, 100)}
    return fields("wave", physics, priors, ["c"], theory, size, 1, "fixed", length, epochs, batch, 1e-4,
                  tau=1e-3 * per_epoch(n_train, batch) / 3, every=1)


def per_epoch(n_train, batch):
    """Steps in an epoch: the authors raise λ after each batch, the tool after each epoch, by the mean of L."""
    return -(-n_train // batch)


def parameters(physics, priors, known):
    """A model needs a parameter; without physics it is one that nothing depends on."""
    if physics == "none":
        return table("parameters", {"unused": uniform(0, 1)})
    return table("parameters", {name: prior for name, prior in priors.items() if physics == "complete" or name in known})
