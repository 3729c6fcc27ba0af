"""What ``deploy/`` holds, and the image's own steps, run here without an engine."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from redis import Redis
from redis.backoff import ConstantBackoff
from redis.retry import Retry

from arbitre import __version__
from arbitre.settings import Settings
from redis_server import binary, free_port

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
NOBODY = 65534


def documents(path: Path) -> Iterator[dict[str, Any]]:
    yield from (each for each in yaml.safe_load_all(path.read_text("utf-8")) if each)


def instructions(name: str) -> list[str]:
    text = (ROOT / "Dockerfile").read_text("utf-8").replace("\\\n", " ")
    return re.findall(rf"^{name} (.*)$", text, re.MULTILINE)


def test_kustomize_is_told_of_every_file() -> None:
    (told,) = documents(DEPLOY / "k8s" / "kustomization.yaml")
    named = {*told["resources"], *told["configMapGenerator"][0]["files"], "kustomization.yaml"}
    assert named == {path.name for path in (DEPLOY / "k8s").iterdir()}


def test_redis_is_configured_alike_everywhere() -> None:
    text = (DEPLOY / "redis.conf").read_text("utf-8")
    assert text == (DEPLOY / "k8s" / "redis.conf").read_text("utf-8")
    for line in ("appendonly yes", "appendfsync everysec", "maxmemory-policy noeviction"):
        assert f"\n{line}\n" in text


def test_redis_starts_from_its_file(tmp_path: Path) -> None:
    port = free_port()
    here = tmp_path / "redis.conf"
    text = (DEPLOY / "redis.conf").read_text("utf-8")
    here.write_text(text.replace("dir /data", f"dir {tmp_path}"))
    changed = ["--port", str(port), "--bind", "127.0.0.1"]
    wanted = {"appendonly": "yes", "appendfsync": "everysec", "maxmemory-policy": "noeviction"}
    with subprocess.Popen([binary(), here, *changed]) as process:
        try:
            retry = Retry(ConstantBackoff(0.1), 200)
            with Redis(port=port, retry=retry, decode_responses=True) as client:
                for name, value in {**wanted, "save": ""}.items():
                    assert client.config_get(name) == {name: value}
        finally:
            process.kill()


def containers() -> list[dict[str, Any]]:
    workloads = ("deployment.yaml", "redis.yaml")
    found = [each for name in workloads for each in documents(DEPLOY / "k8s" / name)]
    specs = [each["spec"]["template"]["spec"] for each in found if "template" in each["spec"]]
    assert all(spec["securityContext"]["runAsNonRoot"] for spec in specs)
    return [container for spec in specs for container in spec["containers"]]


def test_nothing_runs_as_root_or_writes_outside_its_volumes() -> None:
    for container in containers():
        assert container["securityContext"]["readOnlyRootFilesystem"] is True
        assert container["securityContext"]["allowPrivilegeEscalation"] is False
        assert {"readinessProbe", "livenessProbe", "resources"} <= set(container)
    (compose,) = documents(DEPLOY / "compose.yaml")
    for service in compose["services"].values():
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert "healthcheck" in service
    assert all(port.startswith("127.0.0.1:") for port in compose["services"]["arbitre"]["ports"])


def test_only_settings_that_exist_are_set() -> None:
    known = {f"ARBITRE_{name.upper()}" for name in Settings.__slots__}
    for path in [ROOT / "Dockerfile", *DEPLOY.rglob("*.yaml")]:
        if "node_modules" not in path.parts:
            assert set(re.findall(r"ARBITRE_[A-Z_]+", path.read_text("utf-8"))) <= known


def test_versions_are_the_package_s_own() -> None:
    (chart,) = documents(DEPLOY / "helm" / "Chart.yaml")
    assert chart["appVersion"] == chart["version"] == __version__
    assert {each["image"] for each in containers()} >= {f"arbitre:{__version__}"}


def test_no_file_names_a_registry() -> None:
    for path in [ROOT / "Dockerfile", *DEPLOY.rglob("*")]:
        if path.is_file() and "node_modules" not in path.parts:
            assert not re.search(r"registry\.|docker\.io|ghcr\.|quay\.|index-url", path.read_text())


# The image's own steps


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from a copy of the sources that has a playground."""
    copy = tmp_path_factory.mktemp("sources")
    copied = ("pyproject.toml", "README.md", "LICENSE", ".gitignore")
    for name in copied:
        shutil.copy(ROOT / name, copy)
    shutil.copytree(
        ROOT / "service", copy / "service", ignore=shutil.ignore_patterns("__pycache__")
    )
    assets = copy / "service/arbitre/api/graphql/playground/graphql/assets"
    assets.mkdir(parents=True, exist_ok=True)
    (assets / "index-test.js").write_text("// built\n")
    done = subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--wheel-dir", "dist", "."],
        cwd=copy, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    (found,) = (copy / "dist").glob("arbitre-*.whl")
    return found


def test_the_wheel_carries_every_page_and_what_was_built(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for name in ("landing/page.mjs", "verifier/verify.mjs", "graphql/graphiql.html"):
        assert f"arbitre/api/{name}" in names
    assert "arbitre/api/graphql/playground/graphql/assets/index-test.js" in names


def test_the_image_starts_without_root_on_a_tree_it_cannot_write(
    wheel: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    tree, data = tmp_path_factory.mktemp("image"), tmp_path_factory.mktemp("volume")
    for folder in (tree, *tree.parents, data, *data.parents):
        if folder.owner() == "root" and "pytest" in str(folder) and os.geteuid() == 0:
            folder.chmod(0o755)
    # the interpreter's own packages stand for what pip would fetch
    subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", tree / "v"], check=True)
    packages = next(Path(p) for p in sys.path if p.endswith("site-packages"))
    own = next((tree / "v").glob("lib/python*/site-packages"))
    subprocess.run(
        [tree / "v/bin/pip", "install", "-q", "--no-deps", "--no-index", wheel], check=True
    )
    (own / "others.pth").write_text(f"{packages}\n")
    subprocess.run(["chmod", "-R", "a-w,a+rX", tree], check=True)
    root = os.geteuid() == 0
    if root:
        os.chown(data, NOBODY, NOBODY)
    port = free_port()
    settings = dict(each.split("=", 1) for each in instructions("ENV")[0].split())
    environment = {
        **settings,
        "PATH": f"{tree / 'v/bin'}:/usr/bin:/bin",
        "ARBITRE_DATA": str(data),
        "ARBITRE_PORT": str(port),
    }
    # the interpreter may be in root's home: nobody may read everything, and write nothing
    nobody = (
        "setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups",
        "--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search",
    )  # fmt: skip
    as_nobody = nobody if root else ()
    entry = yaml.safe_load(instructions("ENTRYPOINT")[0]) + yaml.safe_load(instructions("CMD")[0])
    check = yaml.safe_load(instructions("HEALTHCHECK")[0].partition("CMD ")[2])
    entry[0] = check[0] = str(tree / "v/bin" / entry[0])
    with subprocess.Popen([*as_nobody, *entry], env=environment, cwd=data) as process:
        try:
            for _ in range(100):
                assert process.poll() is None
                asked = subprocess.run(check, env=environment, check=False, capture_output=True)
                if asked.returncode == 0:
                    break
                time.sleep(0.2)
            assert asked.returncode == 0, asked.stderr
        finally:
            process.terminate()
            assert process.wait(20) in {0, -signal.SIGTERM}
    made = {path.name: path.stat().st_uid for path in data.iterdir()}
    assert made["master.key"] == (NOBODY if root else os.geteuid())
    assert subprocess.run(check, env=environment, check=False, capture_output=True).returncode == 1
