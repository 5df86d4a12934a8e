"""The definitions load: here, without a configuration, and in Dagster's own commands."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import dagster as dg
import pytest

from orders_pipeline.defs.gather import gather
from orders_pipeline.errors import ConfigError
from orders_pipeline.quality.checks import CHECKS
from orders_pipeline_tests.defs.pipeline import DaggedScene
from orders_pipeline_tests.harness import Scene, last_closed_days
from orders_pipeline_tests.support import PROJECT


def test_they_load_without_a_configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fresh clone shows its assets in the UI before anything is configured, and nothing is created by that."""
    monkeypatch.setenv("ORDERS_PIPELINE_HOME", str(tmp_path / "home"))
    defs = gather()
    dg.Definitions.validate_loadable(defs)
    assert not (tmp_path / "home").exists()


def test_a_wrong_configuration_is_told_and_not_guessed_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wrong partitions would be worse than none."""
    path = tmp_path / "wrong.toml"
    path.write_text("zone = 'Nowhere/City'\n", encoding="utf-8")
    monkeypatch.setenv("ORDERS_PIPELINE_CONFIG", str(path))
    with pytest.raises(ConfigError, match="unknown time zone"):
        gather()


def test_the_partitions_are_the_closed_days_of_the_zone(fresh: DaggedScene) -> None:
    """Today is no partition before it is over."""
    (asset,) = [a for a in gather().assets or [] if isinstance(a, dg.AssetsDefinition) and a.partitions_def]
    assert asset.partitions_def is not None
    assert asset.partitions_def.get_partition_keys() == [str(d) for d in last_closed_days(3)]


def test_every_asset_is_described_and_every_check_hangs_on_its_asset(fresh: DaggedScene) -> None:
    """The catalog explains itself."""
    graph = gather().resolve_asset_graph()
    nodes = {k.to_user_string(): graph.get(k) for k in graph.get_all_asset_keys()}
    assert set(nodes) == {
        "fetched_emails", "parsed_orders", "proposed_eval_cases", "orders", "order_alerts", "case_queue",
        "parser_scores",
    }  # fmt: skip
    assert all(node.description for node in nodes.values())
    found = {(k.asset_key.to_user_string(), k.name) for k in graph.asset_check_keys}
    assert found == {(c.asset, c.name) for c in CHECKS} | {("parser_scores", "parser_regression")}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "said"),
    [
        (("dagster", "definitions", "validate"), ""),
        (("dg", "check", "defs"), ""),
        (("dg", "list", "defs"), "proposed_eval_cases"),
    ],
    ids=lambda v: " ".join(v) if isinstance(v, tuple) else "",
)
def test_dagsters_own_commands_accept_them(command: tuple[str, ...], said: str, tmp_path: Path) -> None:
    """What a Dagster user types first in the project folder works, with a configuration."""
    scene = Scene(tmp_path, start=last_closed_days(3)[0])
    program = Path(sys.executable).with_name(command[0])
    result = subprocess.run(
        [program, *command[1:]],
        cwd=PROJECT,
        env=scene.process_environ(COLUMNS="200", DAGSTER_HOME=str(tmp_path)),
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert said in result.stdout
    assert "Traceback" not in result.stdout + result.stderr
