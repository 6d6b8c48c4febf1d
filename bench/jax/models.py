"""The paper's four models in JAX: networks are equinox modules, samples are the first axis of every array.

A model gives its start, its theory and network at a state, and what is observed of states. θ has a row per sample.
"""
import math

import equinox as eqx
import jax
import jax.numpy as jnp


class Dense(eqx.Module):
    """An MLP over a batch: one product per layer, LeakyReLU between layers."""
    weights: list
    biases: list

    def __init__(self, tensors, name):
        n_layers = sum(key.startswith(f"{name}.") and key.endswith(".weight") for key in tensors)
        self.weights = [jnp.asarray(tensors[f"{name}.{i}.weight"]) for i in range(n_layers)]
        self.biases = [jnp.asarray(tensors[f"{name}.{i}.bias"]) for i in range(n_layers)]

    def __call__(self, x):
        for weight, bias in zip(self.weights[:-1], self.biases[:-1]):
            x = jax.nn.leaky_relu(x @ weight.T + bias, 0.01)
        return x @ self.weights[-1].T + self.biases[-1]


class Convolutions(eqx.Module):
    """3 × 3 with replicated edges over NHWC images; batch norm of this batch, where there is any, and LeakyReLU."""
    weights: list
    biases: list
    norms: list

    def __init__(self, tensors, name):
        n_layers = sum(f"{name}.{i}.weight" in tensors for i in range(10))
        self.weights = [jnp.asarray(tensors[f"{name}.{i}.weight"].transpose(2, 3, 1, 0)) for i in range(n_layers)]
        self.biases = [jnp.asarray(tensors[f"{name}.{i}.bias"]) for i in range(n_layers)]
        self.norms = [(jnp.asarray(tensors[f"{name}.{i}.norm.weight"]), jnp.asarray(tensors[f"{name}.{i}.norm.bias"]))
                      for i in range(n_layers) if f"{name}.{i}.norm.weight" in tensors]

    def __call__(self, x):
        for i, (weight, bias) in enumerate(zip(self.weights, self.biases)):
            x = jnp.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)), mode="edge")
            x = jax.lax.conv_general_dilated(x, weight, (1, 1), "VALID", dimension_numbers=("NHWC", "HWIO", "NHWC")) + bias
            if i + 1 == len(self.weights):
                return x
            if self.norms:
                scale, shift = self.norms[i]
                mean, variance = x.mean((0, 1, 2)), x.var((0, 1, 2))
                x = (x - mean) * (scale * jax.lax.rsqrt(variance + 1e-5)) + shift
            x = jax.nn.leaky_relu(x, 0.01)
        return x


class Toy(eqx.Module):
    fD: Dense
    low, high, data_names = (0.0, -math.pi), (2.0, math.pi), ("x", "y")
    penalty = 1e-2

    def __init__(self, tensors):
        self.fD = Dense(tensors, "fD")

    def predict(self, values, theta):
        """Without a solver: the prediction, theory and network."""
        x = values[:, 0, :1]
        theory = theta[:, :1] * jnp.sin(x + theta[:, 1:])
        network = self.fD(jnp.concatenate([x, theta, theory], 1))
        return (theory + network)[:, None], theory, network

    def targets(self, values):
        return values[..., 1:]

    def regularizer(self, means, theta):
        return jnp.abs(means["dot"]) + jnp.abs(means["theory"] - means["network"]) + jnp.mean(theta[:, 1]**2)


class Ode(eqx.Module):
    def start(self, values):
        return values[:, 0]

    def observe(self, states):
        return states

    def targets(self, values):
        return values[:, 1:]


class Pendulum(Ode):
    fD: Dense
    low, high, data_names = (8.0,), (12.0,), ("cos_angle", "sin_angle", "velocity")
    penalty = 1e-3

    def __init__(self, tensors):
        self.fD = Dense(tensors, "fD")

    def start(self, values):
        cos_angle, sin_angle, velocity = jnp.moveaxis(values[:, 0], -1, 0)
        return jnp.stack([jnp.arctan2(sin_angle, cos_angle), velocity], -1)

    def observe(self, states):
        angle, velocity = states[..., 0], states[..., 1]
        return jnp.stack([jnp.cos(angle), jnp.sin(angle), velocity], -1)

    def parts(self, values, theta):
        def evaluate(_t, state):
            angle, velocity = state[:, :1], state[:, 1:]
            cos_angle, sin_angle = jnp.cos(angle), jnp.sin(angle)
            theory = jnp.concatenate([velocity, 1.5 * theta * sin_angle], 1)
            return theory, self.fD(jnp.concatenate([cos_angle, sin_angle, velocity, theta, theory], 1))

        return evaluate

    def regularizer(self, means, theta):
        return means["network"] + jnp.abs(means["dot"])


class PredatorPrey(Ode):
    encoder: Dense
    fD: Dense
    low, high, data_names = (0.0,) * 4, (1.5, 3.0, 1.5, 3.0), ("prey", "predator")
    penalty = 1e-3

    def __init__(self, tensors):
        self.encoder, self.fD = Dense(tensors, "encoder"), Dense(tensors, "fD")

    def parts(self, values, theta):
        fixed = jnp.concatenate([self.encoder(values.reshape(len(values), -1)), theta], 1)
        harmonics = 2 * math.pi / 10 * jnp.arange(1, 5)
        alpha, beta, gamma, delta = theta.T

        def evaluate(t, state):
            density = jnp.clip(state, 0, 20)
            x, y = density.T
            theory = jnp.stack([alpha * x - beta * x * y, -gamma * y + delta * x * y], 1)
            phase = t * harmonics
            season = jnp.broadcast_to(jnp.stack([jnp.sin(phase), jnp.cos(phase)], 1).ravel(), (len(state), 8))
            return theory, self.fD(jnp.concatenate([season, density, fixed, theory], 1))

        return evaluate

    def regularizer(self, means, theta):
        return means["network"]


class ReactionDiffusion(Ode):
    conv: Convolutions
    hyper: Dense
    low, high, data_names = (0.001, 0.001), (0.002, 0.01), ("u", "v")
    penalty, spacing = 1e-7, 2 / 31

    def __init__(self, tensors):
        self.conv, self.hyper = Convolutions(tensors, "conv"), Dense(tensors, "hyper")

    def parts(self, values, theta):
        correction = jnp.maximum(0.01 * jnp.tanh(self.hyper(100 * theta)), -theta / 2)[:, None, None]
        diffusion = theta[:, None, None]

        def evaluate(_t, state):
            padded = jnp.pad(state, ((0, 0), (1, 1), (1, 1), (0, 0)), mode="edge")
            neighbours = padded[:, 2:, 1:-1] + padded[:, :-2, 1:-1] + padded[:, 1:-1, 2:] + padded[:, 1:-1, :-2]
            spread = (neighbours - 4 * state) / self.spacing**2
            return diffusion * spread, self.conv(state) + correction * spread

        return evaluate

    def regularizer(self, means, theta):
        return jnp.log(means["network"]) + jnp.log(jnp.abs(means["dot"]))


MODELS = {
    "toy": Toy,
    "pendulum": Pendulum,
    "predator-prey": PredatorPrey,
    "reaction-diffusion": ReactionDiffusion,
    "reaction-diffusion-no-norm": ReactionDiffusion,
}
