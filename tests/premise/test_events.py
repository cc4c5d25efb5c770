"""Whose record an event line is: nobody's event line moves another's occurrences."""

import random
from collections import Counter

import pytest
from folder_files import META, TABLE
from side_by_side import Question, Reader, Refusal

from dpmap.errors import BadInput
from dpmap.survey.files import events as joining
from dpmap.survey.unit_names import members, strike

EVENT = ("eventID", "recordedBy", "decimalLongitude", "decimalLatitude", "geodeticDatum")
OCCURRENCE = ("eventID", "recordedBy", "decimalLongitude", "decimalLatitude", "catalogNumber")
NAMES = ("Ana", "BO", "Cy Dee", "Ann", "N/A", "")
AT_UNIT = Question("by recordedBy", policy=dict(unit="recordedBy"))
OWN_UNITS = Question("own units", dict(missing_unit="own-unit"), policy=dict(unit="recordedBy"))


class Family:
    """What `Reader` asks of a family: nothing is declared but what the format itself says."""

    options = {}
    limits = {}
    placed = True


def written(folder, events, occurrences, event_columns=EVENT):
    """A Darwin Core Archive of an event core with its occurrences."""
    folder.mkdir()
    fields = lambda names: "".join(
        f'<field index="{at}" term="x/{name}"/>' for at, name in enumerate(names) if at
    )
    core = TABLE.format(
        tag="core", id="id", kind="Event", file="event.txt", fields=fields(event_columns), quote=""
    )
    more = TABLE.format(
        tag="extension",
        id="coreid",
        kind="Occurrence",
        file="occurrence.txt",
        fields=fields(OCCURRENCE),
        quote="",
    )
    (folder / "meta.xml").write_text(META.format(core=core, extension=more))
    for file, columns, lines in (
        ("event.txt", event_columns, events),
        ("occurrence.txt", OCCURRENCE, occurrences),
    ):
        told = [columns, *([line[name] for name in columns] for line in lines)]
        (folder / file).write_text("".join("\t".join(map(str, values)) + "\n" for values in told))
    return folder


def event(key, people, lon=1.5, lat=1.5):
    return {
        "eventID": key,
        "recordedBy": people,
        "decimalLongitude": lon,
        "decimalLatitude": lat,
        "geodeticDatum": "WGS84",
    }


def occurrence(key, people, lon="", lat=""):
    return {
        "eventID": key,
        "recordedBy": people,
        "decimalLongitude": lon,
        "decimalLatitude": lat,
        "catalogNumber": "c",
    }


@pytest.fixture
def reader():
    one = Reader()
    yield one
    one.close()


def rows(reader, path, question=AT_UNIT):
    found = reader.rows(path, question, Family)
    assert not isinstance(found, Refusal), found
    return found


@pytest.mark.parametrize("people", ["tess", "", "n/a", "tess|tom"])
def test_an_event_of_others_places_nobody(people, reader, tmp_path):
    """Where events name people, an event line that does not name a person gives her occurrences neither place nor date."""
    missing = [occurrence("e1", f"sam {number}") for number in range(30)]
    assert rows(reader, written(tmp_path / "a", [event("e1", people)], missing)) == Counter()


def test_an_event_fills_the_occurrences_of_its_own_people_only(reader, tmp_path):
    """Each person of a team gets what her own event line says, and stands as the occurrence says where it does not name her."""
    events = [event("e1", "ANA | Bo"), event("e2", "Cy", 2.5, 2.5)]
    occurrences = [
        occurrence("e1", "Ana|Cy|Ana"),
        occurrence("e1", "Ana|Cy", 3.5, 0.5),
        occurrence("e1", ""),
        occurrence("e2", "Bo", 0.5, 3.5),
        occurrence("e9", "Bo", 0.5, 0.5),
        occurrence("", "Bo", 0.5, 1.5),
    ]
    found = rows(reader, written(tmp_path / "a", events, occurrences))
    middle, aside = 9, 15
    assert Counter({key[:2]: many for key, many in found.items()}) == Counter(
        {
            ("ana", middle): 2,
            ("bo", middle): 1,
            ("ana", aside): 1,
            ("cy", aside): 1,
            ("bo", 0): 1,
            ("bo", 12): 1,
            ("bo", 8): 1,
        }
    )


def test_an_occurrence_whose_event_is_missing_is_refused_where_events_name_nobody(reader, tmp_path):
    """Events that name nobody are no one's records, so all that occurrences name must be there; an empty key is none."""
    columns = tuple(name for name in EVENT if name != "recordedBy")
    events = [{name: value for name, value in event("e1", "").items() if name in columns}]
    fine = written(
        tmp_path / "a", events, [occurrence("e1", "Ana"), occurrence("", "Bo", 0.5, 0.5)], columns
    )
    assert sum(rows(reader, fine).values()) == 2
    odd = written(
        tmp_path / "b", events, [occurrence("e1", "Ana"), occurrence("e2", "Bo", 0.5, 0.5)], columns
    )
    found = reader.rows(odd, AT_UNIT, Family)
    assert isinstance(found, Refusal) and "names an event that is not in it" in found.message
    with pytest.raises(BadInput, match="names an event that is not in it"):
        joining._check_complete(
            joining.Join("k", "k", ("k",), {}),
            "(SELECT 'a' AS k)",
            "(SELECT 'b' AS k)",
            str(tmp_path),
        )


def without(lines, name):
    """The lines as they are without one person: her name struck, and gone where she was the only one named."""
    kept = []
    for line in lines:
        named = members(line["recordedBy"])
        if name not in named:
            kept.append(line)
        elif len(named) > 1:
            kept.append({**line, "recordedBy": strike(line["recordedBy"], name)})
    return kept


def case(dice):
    """An archive in which keys match or not, and events and occurrences name whom they like."""
    team = lambda: dice.choice(("|", "; ", " ;")).join(
        dice.choices(NAMES, k=dice.choice((1, 1, 2, 3)))
    )
    place = lambda: (dice.choice((0.5, 1.5, 2.5, "")), dice.choice((0.5, 3.5)))
    events = [event(f"e{number}", team(), *place()) for number in range(6)]
    return events, [
        occurrence(f"e{dice.randrange(8)}", team(), *(place() if dice.random() < 0.3 else ()))
        for _ in range(12)
    ]


@pytest.mark.parametrize("question", [AT_UNIT, OWN_UNITS], ids=lambda one: one.name)
def test_striking_one_person_leaves_the_rows_of_all_others(question, reader, tmp_path):
    """Whatever events and occurrences name, everybody's rows are the same without any other person."""
    dice, compared = random.Random(7), 0
    for number in range(12):
        events, occurrences = case(dice)
        whole = rows(reader, written(tmp_path / f"{number}", events, occurrences), question)
        for at, name in enumerate(("ana", "bo", "cy dee", "ann")):
            less = written(
                tmp_path / f"{number}-{at}",
                without(events, name),
                without(occurrences, name),
                EVENT,
            )
            left = rows(reader, less, question)
            people = {row[0] for row in (*whole, *left)} & {"ana", "bo", "cy dee", "ann"} - {name}
            for one in people:
                compared += 1
                assert {row: many for row, many in whole.items() if row[0] == one} == {
                    row: many for row, many in left.items() if row[0] == one
                }, (number, name, one)
    assert compared > 40
