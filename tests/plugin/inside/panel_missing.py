"""What the panel says where no dpmap is found."""

import sys

from started import start, tell

application = start()
import stage  # noqa: E402
from dpmap_qgis.panel.hung import Hung  # noqa: E402

iface = stage.Iface()
hung = Hung(iface)
panel = hung.panel
layers = stage.opened(sys.argv[1], "patches")
stage.shows(iface, *layers)
iface.choose(layers[0])
stage.settled(panel)
panel.place.ask(layers[0].extent().center())
answer = {
    "said": panel.missing.words.said(),
    "shown": not panel.missing.isHidden(),
    "place": panel.place.lines.said(),
}
panel.missing.open_settings()
stage.settled(panel)
tell({**answer, "opened": iface.opened})
