"""Tells which texts of the algorithms are not translated, with a made-up language that adds a mark to each text."""

from started import start, tell

MARK = "¿"


class MadeUp(dict):
    """A language that says each text as it is, and a mark; it notes what was asked."""

    asked = set()

    def get(self, text, default=None):
        self.asked.add(text)
        return text + MARK


def made_up():
    return MadeUp()


from dpmap_qgis import words  # noqa: E402

words._texts = made_up
application = start()

from qgis.core import QgsApplication, QgsProcessingParameterDefinition  # noqa: E402

hidden = QgsProcessingParameterDefinition.Flag.FlagHidden
missing = []
for algorithm in QgsApplication.processingRegistry().providerById("dpmap").algorithms():
    said = {"title": algorithm.displayName(), "help": algorithm.shortHelpString()}
    said.update(
        {
            f"input {one.name()}": one.description()
            for one in algorithm.parameterDefinitions()
            if not one.flags() & hidden
        }
    )
    said.update({f"help of {one.name()}": one.help() for one in algorithm.parameterDefinitions()})
    said.update(
        {f"output {one.name()}": one.description() for one in algorithm.outputDefinitions()}
    )
    for one in algorithm.parameterDefinitions():
        said.update(
            {f"choice {n} of {one.name()}": choice for n, choice in enumerate(one.options())}
            if one.type() == "enum" and not one.usesStaticStrings()
            else {}
        )
    missing += [
        f"{algorithm.name()}: {name}: {text}" for name, text in said.items() if MARK not in text
    ]
tell({"untranslated": missing, "asked": sorted(MadeUp.asked)})
