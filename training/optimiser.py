"""Training loop, calibration and files of weights, shared by all networks. Needs PyTorch."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.optim.lr_scheduler import OneCycleLR
from torch.utils.data import DataLoader, default_convert


def prepare(network: nn.Module) -> nn.Module:
    """Initialise the weights (He initialisation) and the random numbers that training uses."""
    torch.manual_seed(1)
    for layer in layers_of(network).values():
        nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")
        nn.init.zeros_(layer.bias)
    return network


def layers_of(network: nn.Module) -> dict[str, nn.Module]:
    """Return the convolutions and dense layers by name."""
    return {name: layer for name, layer in network.named_children()
            if isinstance(layer, nn.Conv2d | nn.Linear)}  # fmt: skip


def minimise(
    loss_of: Callable[..., torch.Tensor],
    network: nn.Module,
    batch_of: Callable[[int], tuple[Any, ...]],
    steps: int,
    *,
    rate: float,
    decay: float,
    warm_up: int = 100,
    max_norm: float = np.inf,
) -> None:
    """Train a network with AdamW; the rate rises at first and then falls like a cosine.

    Args:
        loss_of: function of the network and of the arrays of one batch.
        batch_of: function of the number of the step. Another process calls it.
        rate: maximum learning rate.
        decay: weight decay, as a share of the rate.
        warm_up: steps in which the rate rises to its maximum.
        max_norm: larger gradients are scaled down to this norm.
    """
    optimiser = torch.optim.AdamW(
        network.parameters(), lr=rate, betas=(0.9, 0.99), weight_decay=decay
    )
    schedule = OneCycleLR(
        optimiser,
        rate,
        total_steps=steps,
        pct_start=min(0.5, warm_up / steps),
        cycle_momentum=False,
    )
    batches = DataLoader(
        range(1, steps + 1),
        batch_size=None,
        num_workers=1,
        collate_fn=lambda step: default_convert(batch_of(step)),
    )
    total = 0.0
    for step, batch in enumerate(batches, 1):
        optimiser.zero_grad()
        loss = loss_of(network, *batch)
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), max_norm)
        optimiser.step()
        schedule.step()
        total += loss.item()
        if step % 100 == 0:
            print(step, f"{total / 100:.4f}", flush=True)
            total = 0.0


def fit_temperature(logits: NDArray[Any], labels: NDArray[Any]) -> float:
    """Return the temperature that calibrates the confidence: logits N × classes, labels N."""

    def loss(temperature: float) -> float:
        scaled = logits / temperature
        total = np.log(np.exp(scaled - scaled.max(1, keepdims=True)).sum(1)) + scaled.max(1)
        return float((total - scaled[np.arange(len(labels)), labels]).mean())

    return min(np.arange(0.6, 3.0, 0.05).tolist(), key=loss)


def weights_of(network: nn.Module) -> dict[str, NDArray[np.float32]]:
    """Return the weights as `sheets.vision.network_layers.Weights`."""
    weights = {}
    for name, layer in layers_of(network).items():
        to_app = (2, 3, 1, 0) if isinstance(layer, nn.Conv2d) else (1, 0)
        weights[name] = layer.weight.detach().permute(to_app).numpy()
        weights[f"{name}0"] = layer.bias.detach().numpy()
    return weights


def write_weights(path: Path, weights: dict[str, NDArray[np.float32]]) -> None:
    """Write weights as 16-bit floats, sorted by name, so that the bytes are reproducible."""
    halves = {name: np.ascontiguousarray(weights[name], np.float16) for name in sorted(weights)}
    np.savez(path, **halves)


def write_calibrated(path: Path, network: nn.Module, last: nn.Linear, temperature: float) -> None:
    """Divide the outputs of the last layer by a temperature, and write the weights."""
    with torch.no_grad():
        last.weight /= temperature
        last.bias /= temperature
    write_weights(path, weights_of(network))
