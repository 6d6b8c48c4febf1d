"""The collection: every module of this folder has a list MODELS."""
import importlib
import pkgutil


def all_models():
    models = []
    for module in sorted(pkgutil.iter_modules(__path__), key=lambda m: m.name):
        models += importlib.import_module(f"models.{module.name}").MODELS
    names = [model.name for model in models]
    if len(set(names)) != len(names):
        raise ValueError(f"names twice: {sorted(n for n in names if names.count(n) > 1)}")
    return models
