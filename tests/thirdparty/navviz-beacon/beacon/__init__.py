"""Beacon: walks from landmark to landmark; invented for the tests, from no paper."""

from navviz.systems.base import MetricFamily, PagePart, Reader, System, TablePreset

SYSTEM = System(
    name="beacon",
    title="Beacon",
    paper="none: invented for the tests of NavViz",
    results_readers=(Reader("beacon.logs:Logs"),),
    navigators={"beacon": "beacon.navigator:Walker"},
    metric_families=(MetricFamily("beacon.metrics"),),
    panels={"beacon": "beacon.panels:with_ways"},
    table_presets=(
        TablePreset(
            "beacon", "Beacon", ("run",), ("SR", "SPL", "new_beacon", "lit_beacon"), totals=False
        ),
    ),
    scanners={"dark-steps": "beacon.scanner:DarkSteps"},
    exporters={"beacon": "beacon.logs:written"},
    commands={"beacon-sights": "beacon.command:register"},
    page_parts=(PagePart("explore", "Beacons", "beacon.page:beacons"),),
)
