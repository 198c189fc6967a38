"""Compose and Kubernetes: what the manifests claim holds, and what they name exists."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from api.settings import PREFIX, Settings, read_settings
from tests.deploy.dockerfile import DEPLOY, ROOT, environment, image

KUBERNETES = DEPLOY / "kubernetes"


def read(path: Path) -> dict[str, Any]:
    document: dict[str, Any] = yaml.safe_load(path.read_text("utf-8"))
    return document


@pytest.fixture(scope="module")
def pod() -> dict[str, Any]:
    spec: dict[str, Any] = read(KUBERNETES / "deployment.yaml")["spec"]["template"]["spec"]
    return spec


@pytest.fixture(scope="module")
def container(pod: dict[str, Any]) -> dict[str, Any]:
    (only,) = pod["containers"]
    found: dict[str, Any] = only
    return found


@pytest.fixture(scope="module")
def service() -> dict[str, Any]:
    services: dict[str, Any] = read(DEPLOY / "compose.yaml")["services"]
    (only,) = services.values()
    found: dict[str, Any] = only
    return found


def settings_of(given: dict[str, str]) -> Settings:
    """The settings of a container: the image's, with these over them. A wrong one raises."""
    names = {name.removeprefix(PREFIX).lower(): value for name, value in (environment() | given).items()
             if name.startswith(PREFIX)}  # fmt: skip
    assert set(names) <= set(Settings.model_fields)
    return read_settings(**names)


def test_the_pod_can_do_no_more_than_it_must(pod: dict[str, Any], container: dict[str, Any]) -> None:
    assert pod["automountServiceAccountToken"] is False
    assert pod["enableServiceLinks"] is False  # else FAULTBOOK_PORT becomes tcp://...
    whole, own = pod["securityContext"], container["securityContext"]
    assert whole["runAsNonRoot"] is True
    assert f"{whole['runAsUser']}:{whole['runAsGroup']}" == image("USER")[0].text
    assert whole["seccompProfile"] == {"type": "RuntimeDefault"}
    assert own == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert {mount["mountPath"] for mount in container["volumeMounts"]} == {"/tmp"}
    assert container["resources"]["requests"].keys() == {"cpu", "memory"}
    assert "memory" in container["resources"]["limits"]


def test_the_probes_ask_paths_that_answer(container: dict[str, Any], service: dict[str, Any]) -> None:
    from api.routes.health import health_routes

    class Settled:
        settings = Settings()

    paths = {route.path for route in health_routes(Settled()).routes}  # type: ignore[arg-type,attr-defined]
    probes = {name: container[f"{name}Probe"]["httpGet"] for name in ("startup", "readiness", "liveness")}
    assert {probe["path"] for probe in probes.values()} <= paths
    assert probes["readiness"]["path"] == "/readyz"
    assert probes["liveness"]["path"] == "/healthz"  # one that stops must not be killed for saying so
    (port,) = container["ports"]
    assert {probe["port"] for probe in probes.values()} == {port["name"]}
    assert [str(port["containerPort"])] == [each.text for each in image("EXPOSE")]
    annotations = read(KUBERNETES / "service.yaml")["metadata"]["annotations"]
    assert annotations["prometheus.io/path"] in paths
    assert annotations["prometheus.io/port"] == str(port["containerPort"])


def test_there_is_time_to_drain_and_to_stop(pod: dict[str, Any], container: dict[str, Any]) -> None:
    settings = settings_of({each["name"]: each["value"] for each in container["env"]})
    assert settings.drain_seconds >= 3 * container["readinessProbe"]["periodSeconds"]
    assert pod["terminationGracePeriodSeconds"] > settings.drain_seconds + settings.stop_seconds


def test_every_selector_finds_the_pods(pod: dict[str, Any]) -> None:
    template = read(KUBERNETES / "deployment.yaml")["spec"]
    labels = template["template"]["metadata"]["labels"]
    selectors = [
        template["selector"]["matchLabels"],
        read(KUBERNETES / "service.yaml")["spec"]["selector"],
        *(
            read(KUBERNETES / name)["spec"]["podSelector"]["matchLabels"]
            for name in ("network-policy.yaml", "egress-for-chats.yaml")
        ),
        read(KUBERNETES / "disruption-budget.yaml")["spec"]["selector"]["matchLabels"],
    ]
    assert all(selector.items() <= labels.items() for selector in selectors)
    (port,) = pod["containers"][0]["ports"]
    assert [each["targetPort"] for each in read(KUBERNETES / "service.yaml")["spec"]["ports"]] == [
        port["name"]
    ]


def test_nothing_goes_out_unless_a_chat_needs_it() -> None:
    policy = read(KUBERNETES / "network-policy.yaml")["spec"]
    assert policy["policyTypes"] == ["Ingress", "Egress"]
    assert policy["egress"] == []
    applied = read(KUBERNETES / "kustomization.yaml")["resources"]
    files = {path.name for path in KUBERNETES.glob("*.yaml")}
    assert files - set(applied) == {"kustomization.yaml", "egress-for-chats.yaml"}
    assert set(applied) < files


def test_compose_starts_the_same_image_with_no_more_rights(service: dict[str, Any]) -> None:
    assert (DEPLOY / service["build"]["context"]).resolve() == ROOT
    assert (ROOT / service["build"]["dockerfile"]).is_file()
    assert (
        service["image"]
        == read(KUBERNETES / "deployment.yaml")["spec"]["template"]["spec"]["containers"][0]["image"]
    )
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert [each.partition(":")[0] for each in service["tmpfs"]] == ["/tmp"]
    settings = settings_of(service["environment"])
    (published,) = service["ports"]
    assert published == f"127.0.0.1:8000:{settings.port}"
    assert int(service["stop_grace_period"].removesuffix("s")) > settings.stop_seconds
    assert int(service["mem_limit"].removesuffix("m")) >= 256 * settings.workers
    assert all(each["required"] is False for each in service["env_file"])
