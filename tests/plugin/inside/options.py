"""Opens the page of dpmap in QGIS's settings, uses each part, and draws pictures: `options.py FOLDER ZIP PYTHON`."""

import os
import sys

from qgis.core import QgsApplication
from stage import until
from started import start, tell

application = start()
from dpmap_qgis.command import own, pythons, settings  # noqa: E402
from dpmap_qgis.options import page as pages  # noqa: E402

folder, zipped, python = sys.argv[1:]
pythons._candidates = lambda needed: [[python]]


class Iface:
    """What the page asks of QGIS's window."""

    there = []

    def registerOptionsWidgetFactory(self, factory):
        self.there.append(factory)

    def unregisterOptionsWidgetFactory(self, factory):
        self.there.remove(factory)


def pictured(name):
    application.processEvents()
    page.grab().save(os.path.join(folder, f"{name}.png"))


def done(call):
    call()
    apart = page._work is not None
    until(lambda: page._work is None)
    until(lambda: page.found.text() != "Looking...")
    return page.told.text(), apart


iface = Iface()
options = pages.Options(iface)
page = iface.there[0].createWidget(None)
page.agreed = lambda question: asked.append(question) or agree
asked, agree, answers = [], True, {}
page.resize(640, 520)
page.show()
until(lambda: page.found.text() != "Looking...")
answers["found"] = page.found.text()
pictured("wide")
answers["verified"], answers["apart"] = done(lambda: page.verify(whole=False))
pictured("verified")
page.resize(330, 520)
pictured("narrow")
verdict = page.told.text()
page.verify(whole=True)
until(lambda: page.told.text() != verdict)
pictured("under way")
page._work.cancel()
until(lambda: page._work is None)
answers["stopped"] = page.told.text()
agree = False
page.make_from_zip(zipped)
answers["refused"] = own.current(settings.own_environments())
agree = True
answers["made"], _ = done(lambda: page.make_from_zip(zipped))
answers["own"] = own.current(settings.own_environments())
os.environ["PATH"] = "/nowhere"
page.look()
until(lambda: page.found.text() != "Looking...")
answers["then"] = page.found.text()
answers["asked"] = asked
page.program.setFilePath("/<b>no</b>/dpmap")
until(lambda: page.found.text() != "Looking...")
answers["hostile"] = page.found.text()
page.apply()
answers["kept"] = settings.program()
page.program.setFilePath("")
page.apply()
answers["emptied"] = settings.program()
options.remove()
answers["left"] = len(iface.there)
QgsApplication.taskManager().cancelAll()
tell(answers)
