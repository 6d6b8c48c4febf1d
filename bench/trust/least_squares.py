"""Least squares in a box, by Levenberg and Marquardt's method with bounds as an active set; numpy only."""
import numpy as np

STEP = 1e-6


def differences(residuals, u, r):
    """The Jacobian at u, by forward differences that stay within the box."""
    signs = np.where(u > 0.5, -1.0, 1.0)
    shifted = u + np.diag(STEP * signs)
    return ((residuals(shifted) - r) / (STEP * signs)[:, None]).T


def minimise(residuals, u, free, n_iterations=60):
    """Minimises the sum of squares of residuals(batch of u) -> (batch, m) over the free coordinates of the unit box."""
    u, damping = u.copy(), 1e-3
    r = residuals(u[None])[0]
    value = r @ r
    for _ in range(n_iterations):
        if not np.isfinite(value):
            break
        jacobian = differences(residuals, u, r)
        if not np.isfinite(jacobian).all():
            break
        gradient = jacobian.T @ r
        held = ~free | ((u <= 0) & (gradient > 0)) | ((u >= 1) & (gradient < 0))
        moved = False
        for _ in range(8):
            step = damped_step(jacobian, gradient, held, damping)
            trial = np.clip(u + step, 0, 1)
            trial_r = residuals(trial[None])[0]
            trial_value = trial_r @ trial_r
            if trial_value < value:
                moved = value - trial_value > 1e-12 * value
                u, r, value, damping = trial, trial_r, trial_value, max(damping / 5, 1e-12)
                break
            damping *= 6
        if not moved:
            break
    return u, value


def damped_step(jacobian, gradient, held, damping):
    step = np.zeros(len(gradient))
    free = ~held
    if free.any():
        part = jacobian[:, free]
        normal = part.T @ part
        normal += damping * (np.trace(normal) / len(normal) + 1e-300) * np.eye(len(normal))
        step[free] = -np.linalg.solve(normal, gradient[free])
    return np.clip(step, -0.5, 0.5)
