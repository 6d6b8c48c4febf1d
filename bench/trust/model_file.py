"""Writes a model's data and model file, with its network or with the ideal one: f_D* = f_true - f_T, as an expression."""
import json

import numpy as np

from hybrid_model import REGULARIZERS


def write_model(model, data, folder, ideal):
    """Returns the model file's path."""
    folder.mkdir(parents=True, exist_ok=True)
    np.savetxt(folder / "data.csv", np.stack(list(data.columns.values()), 1), fmt="%.17g", delimiter=",",
               header=",".join(data.columns), comments="")
    path = folder / "model.toml"
    path.write_text(model_text(model, data, ideal))
    return path


def model_text(model, data, ideal):
    # The truth counts components as they are; networks have scales of their own.
    tables = [("", {"name": f'"{model.name}"', "scale": '"none"'}), ("data", data_keys(model))]
    tables.append(("parameters", {name: prior.toml() for name, prior in model.parameters.items()}))
    if model.is_ode:
        tables.append(("state", {name: first_value(model, name) for name in model.state}))
        if model.inputs:
            tables.append(("inputs", {name: f'"{name}"' for name in model.inputs}))
    tables.append(("theory", quoted(model.theory)))
    if ideal:
        tables.append(("data_driven", ideal_correction(model)))
    else:
        tables += [("network.fD", network_keys(model, data)), ("data_driven", scaled_outputs(model, data))]
    if model.is_ode or model.observe:
        tables.append(("observe", quoted(model.observed)))
    if model.is_ode:
        tables.append(("solver", {"method": '"rk4"', "step": repr(model.dt / model.substeps)}))
    tables.append(("regularizers", quoted({name: REGULARIZERS[name] for name in model.regularizers})))
    tables.append(("train", train_keys(model, ideal)))
    return "\n".join(table_text(*table) for table in tables)


def table_text(name, keys):
    head = f"[{name}]\n" if name else ""
    return head + "".join(f"{key} = {value}\n" for key, value in keys.items())


def quoted(texts):
    return {name: f'"{text}"' for name, text in texts.items()}


def data_keys(model):
    keys = {"file": '"data.csv"'}
    by = "series" if model.is_ode else "window"
    if model.is_ode:
        keys["window"] = f"{{ length = {model.length}, stride = {model.length}, observed = {model.observed_rows} }}"
    keys["split"] = f'{{ train = 0.6, validation = 0.2, test = 0.2, by = "{by}" }}'
    return keys


def first_value(model, name):
    if name not in model.hidden_states:
        return f'"{name}"'
    if not model.learned_starts:
        return f'"first_{name}"'
    low, high = model.state[name]
    return f'{{ start = "learned", prior = "normal", mean = {(low + high) / 2}, sd = {(high - low) / 12**0.5:.6g} }}'


def network_keys(model, data):
    names = model.network_inputs
    if names is None:
        names = tuple(model.inputs) + tuple(model.state)
    thetas = list(model.parameters)
    parts = [f"theory.{name}" for name in model.free_outputs]
    if model.scaled:
        names = [f"({n} - {data.centres[n][0]!r})/{data.centres[n][1]!r}" if n in data.centres else n for n in names]
        thetas = [prior.centred_text(name) for name, prior in model.parameters.items()]
        parts = [f"theory.{name}/{2 * data.scales[name]!r}" for name in model.free_outputs]
    if model.network_inputs is not None:
        parts = []  # f_T would carry what the network is not to see
    inputs = ", ".join(f'"{text}"' for text in [*names, *thetas, *parts])
    outputs = ", ".join(f'"{name}"' for name in model.free_outputs)
    keys = {"inputs": f"[{inputs}]", "hidden": str(list(model.layers)), "activation": f'"{model.activation}"', "outputs": f"[{outputs}]"}
    return keys | {key: json.dumps(value) for key, value in model.constraints.items()}


def scaled_outputs(model, data):
    def text(name):
        if name not in model.free_outputs:
            return '"0"'
        return f'"{data.scales[name] if model.scaled else 1.0!r} * fD.{name}"'

    return {name: text(name) for name in model.outputs}


def ideal_correction(model):
    return {name: f'"({model.true[name]}) - theory.{name}"' if name in model.free_outputs else '"0"'
            for name in model.outputs}


def train_keys(model, ideal):
    keys = {"epochs": 1 if ideal else model.n_epochs, "batch": model.batch, "rate": list(model.rate), "weight_decay": 1e-6}
    return keys | model.training
