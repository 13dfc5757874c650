"""``navviz.to_folium`` in a browser without network, with layers that its user added."""

import folium
import pytest

import navviz
from navviz.support.installation.files import samples_dir
from tests.browser.waits import expect, soon

pytestmark = pytest.mark.browser


def test_it_opens_without_network_with_the_layers_of_its_user(page, tmp_path):
    outdoors = navviz.open_run(samples_dir() / "harbour" / "runs" / "regex-heuristic")
    chart = navviz.to_folium(outdoors, "2")
    place = outdoors.graph("2").position(outdoors.trace("2").path[-1])
    folium.Marker(place, popup="the <b>stop</b>", tooltip="here").add_to(chart)
    folium.LayerControl().add_to(chart)
    chart.save(tmp_path / "map.html")
    page.goto((tmp_path / "map.html").as_uri())
    page.locator(".leaflet-control-layers").wait_for()
    page.locator(
        "canvas.leaflet-zoom-animated, canvas.leaflet-layer, .leaflet-overlay-pane canvas"
    ).first.wait_for()
    marker = page.locator(".leaflet-marker-icon")
    soon(page, lambda: marker.evaluate("image => image.complete && image.naturalWidth > 0"), bool)
    marker.dispatch_event("click")
    page.locator(".leaflet-popup-content b", has_text="stop").wait_for()
    expect(page.locator(".leaflet-control-attribution")).to_have_count(1)
